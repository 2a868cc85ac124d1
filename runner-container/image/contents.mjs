// Lists what the image contains, as a CycloneDX document: Debian's packages, npm's, the JVM, Node.js, and the jars as
// another document lists them.
// contents.mjs DPKG_FOLDER NOTICES_FOLDER AGENTS_FOLDER JVM_FOLDER JARS_DOCUMENT
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [dpkg, notices, agents, jvm, jars] = process.argv.slice(2);

/** Names that Debian's notices use for what SPDX calls otherwise. */
const SPDX = {
  "Apache-2": "Apache-2.0", "Artistic": "Artistic-1.0", "Expat": "MIT", "GPL-1": "GPL-1.0-only", "GPL-1+": "GPL-1.0-or-later",
  "GPL-2": "GPL-2.0-only", "GPL-2+": "GPL-2.0-or-later", "GPL-2.0+": "GPL-2.0-or-later", "GPL-3": "GPL-3.0-only",
  "GPL-3+": "GPL-3.0-or-later", "GPL-3.0+": "GPL-3.0-or-later", "LGPL-2": "LGPL-2.0-only", "LGPL-2+": "LGPL-2.0-or-later",
  "LGPL-2.1": "LGPL-2.1-only", "LGPL-2.1+": "LGPL-2.1-or-later", "LGPL-3": "LGPL-3.0-only", "LGPL-3+": "LGPL-3.0-or-later",
  "LGPLv2+": "LGPL-2.0-or-later", "LGPLv2.1+": "LGPL-2.1-or-later", "LGPLv3+": "LGPL-3.0-or-later",
  "GPLv2+": "GPL-2.0-or-later", "GPLv3+": "GPL-3.0-or-later", "BSD-3-clause": "BSD-3-Clause", "BSD-2-clause": "BSD-2-Clause",
  "BSD-4-clause": "BSD-4-Clause", "GFDL-1.3": "GFDL-1.3-only", "GFDL-1.3+": "GFDL-1.3-or-later", "Zlib": "Zlib",
};

/** The licences that a notice names: those of its fields, or else of the texts it refers to. */
function named(notice) {
  const fields = [...notice.matchAll(/^Licen[cs]e: *(\S[^\n]*)$/gm)].map((found) => found[1].trim());
  const texts = [...notice.matchAll(/common-licenses\/([\w.+-]*\w)/g)].map((found) => found[1]);
  const names = fields.length > 0 ? fields : texts;
  const single = names.flatMap((name) => name.split(/,? +(?:and|or|with|and\/or)\b[^,]*?(?= |$)|[,|]\s*/i));
  const known = single.map((name) => name.trim()).filter((name) => /^[\w.+-]+$/.test(name));
  const all = [...new Set(known.map((name) => SPDX[name] ?? name))].sort();
  return all.length > 0 ? all : ["LicenseRef-notice"];
}

function component(type, name, version, licences, purl) {
  return { type, name, version, licenses: licences.map((licence) => ({ license: { name: licence } })), purl, "bom-ref": purl };
}

function debian() {
  const status = readFileSync(join(dpkg, "status"), "utf8");
  return status.split("\n\n").filter((entry) => /^Status: install ok installed$/m.test(entry)).map((entry) => {
    const field = (name) => entry.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1] ?? "";
    const file = join(notices, field("Package"), "copyright");
    const licences = existsSync(file) ? named(readFileSync(file, "utf8")) : ["LicenseRef-notice"];
    const purl = `pkg:deb/debian/${field("Package")}@${encodeURIComponent(field("Version"))}?arch=${field("Architecture")}`;
    return component("library", field("Package"), field("Version"), licences, purl);
  });
}

/** The packages below a folder of modules, those inside packages too. */
function modules(folder) {
  if (!existsSync(folder)) {
    return [];
  }
  const scoped = (name) => readdirSync(join(folder, name)).map((inner) => join(name, inner));
  const names = readdirSync(folder).filter((name) => !name.startsWith(".")).flatMap((name) => (name.startsWith("@") ? scoped(name) : [name]));
  return names.flatMap((name) => {
    const own = join(folder, name);
    const file = join(own, "package.json");
    if (!existsSync(file)) {
      return [];
    }
    const { name: called, version, license } = JSON.parse(readFileSync(file, "utf8"));
    const licence = typeof license === "string" ? license : (license?.type ?? "LicenseRef-notice");
    const purl = `pkg:npm/${called.replace("@", "%40")}@${version}`;
    return [component("library", called, version, [licence], purl), ...modules(join(own, "node_modules"))];
  });
}

function npm() {
  return readdirSync(agents).flatMap((agent) => modules(join(agents, agent, "node_modules")));
}

function runtimes() {
  const release = readFileSync(join(jvm, "release"), "utf8");
  const version = release.match(/^JAVA_VERSION="(.*)"$/m)[1];
  const found = [component("platform", "openjdk", version, ["GPL-2.0-with-classpath-exception"], `pkg:generic/openjdk@${version}`)];
  if (existsSync(join(agents, "bin", "node"))) {
    const node = process.versions.node;
    found.push(component("platform", "node", node, ["MIT"], `pkg:generic/node@${node}`));
  }
  return found;
}

const given = JSON.parse(readFileSync(jars, "utf8")).components ?? [];
const all = new Map([...debian(), ...runtimes(), ...npm(), ...given].map((one) => [one.purl ?? one["bom-ref"], one]));
const components = [...all.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1));
const digest = createHash("sha256").update(JSON.stringify(components)).digest("hex");
const serial = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "urn:uuid:$1-$2-5$3-8$4-$5");
process.stdout.write(JSON.stringify({
  bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: serial, version: 1,
  metadata: { component: { type: "container", name: "runyard-runner", "bom-ref": "runyard-runner" } },
  components,
}, null, 1) + "\n");
