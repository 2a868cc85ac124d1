// A durable workflow of two steps. Its one argument is the port on which the server calls it.
import http2 from "node:http2";

// Node.js has it from version 22; the SDK expects it, and otherwise works with version 20 too.
Promise.withResolvers ??= function () {
  let functions;
  const promise = new this((resolve, reject) => (functions = { resolve, reject }));
  return { promise, ...functions };
};
const restate = await import("@restatedev/restate-sdk");

const twoSteps = restate.workflow({
  name: "TwoSteps",
  handlers: {
    run: async (context, text) => {
      const first = await context.run("first", () => `${text} one`);
      return context.run("second", () => `${first} two`);
    },
  },
});
const endpoint = restate.endpoint().bind(twoSteps);
http2.createServer(endpoint.http2Handler()).listen(Number(process.argv[2]), "127.0.0.1");
