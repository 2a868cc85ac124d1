// Submits a run, follows its events as pages and as a stream, and reads it: by the types and the
// client that are made from the description.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];

const [address, token] = [process.argv[2] ?? "", process.env["ACCESS_TOKEN"] ?? ""];
const api = createClient<paths>({
  baseUrl: address,
  headers: { Authorization: `Bearer ${token}` },
});

function must<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) {
    throw new Error(`${answer.response.status}: ${JSON.stringify(answer.error)}`);
  }
  return answer.data;
}

function stored(event: Schemas["Event"]): Schemas["RuntimeEvent"] {
  if (!("eventId" in event)) {
    throw new Error("not an event of view=runtime");
  }
  return event;
}

async function submit(): Promise<Schemas["Run"]> {
  const body: Schemas["SubmitRun"] = {
    agent: "echo",
    prompt: "from TypeScript",
    extensions: { "backend.echo.events": 3 },
    tags: { client: "typescript" },
  };
  return must(
    await api.POST("/v1/runs", { body, params: { header: { "Idempotency-Key": "ts-1" } } }),
  );
}

async function pages(id: string): Promise<string[]> {
  const types: string[] = [];
  let after = 0;
  for (let closed = false; !closed; ) {
    const page = must(
      await api.GET("/v1/runs/{id}/events", {
        params: { path: { id }, query: { after, wait: 20, view: "runtime" } },
      }),
    );
    if (typeof page !== "object") {
      throw new Error("no page");
    }
    types.push(...page.events.map((event) => stored(event).type));
    after = page.next_after;
    closed = page.closed;
  }
  return types;
}

async function stream(id: string): Promise<string[]> {
  const { data } = await api.GET("/v1/runs/{id}/events", {
    params: { path: { id }, header: { "Last-Event-ID": 0 } },
    headers: { Accept: "text/event-stream" },
    parseAs: "text",
  });
  return String(data)
    .split("\n")
    .filter((line) => line.startsWith("event: "))
    .map((line) => line.slice("event: ".length));
}

const run = await submit();
const again = await submit();
const followed = await pages(run.run_id);
const streamed = await stream(run.run_id);
const read = must(await api.GET("/v1/runs/{id}", { params: { path: { id: run.run_id } } }));
const wrong = await api.POST("/v1/runs", { body: { agent: "nobody", prompt: "hi" } });
const code: string | undefined = wrong.error?.code;

console.log(`same ${run.run_id === again.run_id}`);
console.log(`status ${read.status} ${read.closed}`);
console.log(`last ${followed.at(-1)}`);
console.log(`events ${followed.length === read.last_sequence}`);
console.log(`streamed ${followed.join() === streamed.join()}`);
console.log(`text ${read.final_text !== null && read.final_text.length > 0}`);
console.log(`refused ${wrong.response.status} ${code}`);
