// Drives a server with the protocol's public client: node drive.cjs BASE_URL FAILS ASKS HOLDS SCENARIO... with the names of
// agents that fail, ask for a message, and take long. Prints each scenario that passed.
"use strict";
const assert = require("node:assert");
const { Client, ACPError } = require("acp-sdk");

const [baseUrl, fails, asks, holds, ...chosen] = process.argv.slice(2);
// The access token of a stack on this machine.
const token = process.env.ACCESS_TOKEN;
const ask = (url, options = {}) => {
  const headers = new Headers(options.headers);
  if (token) headers.set("Authorization", "Bearer " + token);
  return fetch(url, { ...options, headers });
};
const client = new Client({ baseUrl, fetch: ask });
const message = (text) => ({ role: "user", parts: [{ content_type: "text/plain", content: text }] });
const answer = (text) => ({ type: "message", message: message(text) });
const texts = (run) => run.output.flatMap((m) => m.parts.map((p) => p.content));
const collect = async (stream) => {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
};
// The client takes the time it reads a message for a completed_at that is absent, so it is left out where none can be.
const wire = (events) => events.map((e) => (e.type === "message.created" ? { ...e, message: { ...e.message, completed_at: 0 } } : e));
const types = (events) => events.map((event) => event.type);
const json = async (path) => (await ask(baseUrl + path)).json();
const until = async (read, done) => {
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const reaches = (runId, ...status) => until(() => client.runStatus(runId), (run) => status.includes(run.status));
const refused = async (promise, code) =>
  assert.rejects(promise, (error) => error instanceof ACPError && error.code === code);

const scenarios = {
  async discovery() {
    await client.ping();
    const agents = await client.agents();
    const echo = await client.agent("echo");
    assert.deepStrictEqual(agents.find((agent) => agent.name === "echo"), echo);
    await refused(client.agent("nobody"), "not_found");
  },
  async sync() {
    const run = await client.runSync("echo", "echo hello");
    assert.strictEqual(run.status, "completed");
    assert.deepStrictEqual(texts(run), ["echo hello"]);
    assert.strictEqual(run.output[0].role, "agent/echo");
    assert.ok(run.finished_at);
  },
  async async() {
    const run = await client.runAsync("echo", [message("echo later")]);
    assert.strictEqual(run.status, "created");
    assert.deepStrictEqual(texts(await reaches(run.run_id, "completed")), ["echo later"]);
  },
  async stream() {
    const events = await collect(client.runStream("echo", "echo stream"));
    assert.deepStrictEqual(types(events), [
      "run.created", "run.in-progress", "message.created", "message.part", "message.completed", "run.completed",
    ]);
    assert.deepStrictEqual(wire(await client.runEvents(events[0].run.run_id)), wire(events));
  },
  async leaving() {
    const leave = new AbortController();
    let run;
    await assert.rejects(async () => {
      for await (const event of client.runStream(holds, Array(60).fill(message("hold")), leave.signal)) {
        if (event.type === "run.in-progress") {
          run = event.run;
          leave.abort();
        }
      }
    });
    assert.strictEqual((await client.runStatus(run.run_id)).status, "in-progress");
    const cancelled = await client.runCancel(run.run_id);
    assert.strictEqual(cancelled.status, "cancelling");
    await reaches(run.run_id, "cancelled");
    assert.strictEqual((await client.runEvents(run.run_id)).at(-1).type, "run.cancelled");
    await refused(client.runCancel(run.run_id), "server_error");
  },
  async failing() {
    const run = await client.runSync(fails, "fail");
    assert.strictEqual(run.status, "failed");
    assert.deepStrictEqual([run.error.code, run.error.message], ["invalid_input", "Wrong question buddy!"]);
    await refused(client.runStatus("019a0000-0000-7000-8000-000000000009"), "not_found");
    await refused(client.runStatus("none"), "invalid_input");
    await refused(client.runSync("nobody", "hi"), "not_found");
  },
  async awaiting() {
    const asked = await client.runSync(asks, "ask");
    assert.strictEqual(asked.status, "awaiting");
    assert.deepStrictEqual(asked.await_request.message.parts, []);
    const done = await client.runResumeSync(asked.run_id, answer("sync"));
    assert.deepStrictEqual([done.status, ...texts(done)], ["completed", "empty"]);
    await refused(client.runResumeSync(asked.run_id, answer("again")), "server_error");

    const events = await collect(client.runStream(asks, "ask"));
    assert.strictEqual(events.at(-1).type, "run.awaiting");
    const rest = await collect(client.runResumeStream(events[0].run.run_id, answer("stream")));
    assert.strictEqual(rest[0].type, "run.in-progress");
    assert.strictEqual(rest.at(-1).type, "run.completed");
    assert.deepStrictEqual(wire(await client.runEvents(events[0].run.run_id)), wire([...events, ...rest]));

    const later = await client.runAsync(asks, "ask");
    await reaches(later.run_id, "awaiting");
    const resumed = await client.runResumeAsync(later.run_id, { type: "message", message: { role: "user", parts: [] } });
    assert.strictEqual(resumed.status, "in-progress");
    await reaches(later.run_id, "completed");
  },
  async history() {
    await client.withSession(async (session) => {
      const first = await session.runSync("history_echo", "one");
      assert.strictEqual(first.output.length, 1);
      const second = await session.runSync("history_echo", "two");
      assert.deepStrictEqual(texts(second), ["one", "one", "two"]);
    });
  },
  async sessions() {
    await client.withSession(async (session) => {
      const first = await session.runSync("echo", "echo one");
      assert.strictEqual(first.session_id, session.sessionId);
      await collect(session.runStream("echo", "echo two"));
      const state = await json("/sessions/" + session.sessionId);
      assert.strictEqual(state.history.length, 4);
      assert.deepStrictEqual(await json("/session/" + session.sessionId), state);
      const said = await Promise.all(state.history.map(async (url) => (await ask(url)).json()));
      assert.deepStrictEqual(
        said.map((m) => m.role + ": " + m.parts[0].content),
        ["user: echo one", "agent/echo: echo one", "user: echo two", "agent/echo: echo two"],
      );
    });
  },
};

(async () => {
  for (const name of chosen) {
    await scenarios[name]();
    console.log("passed " + name);
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
