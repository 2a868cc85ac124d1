// A model provider that speaks HTTP/2. It says on standard output what it sees, and goes on with its answer when a line
// comes on standard input. Its model `flood` answers for as long as somebody takes what it says.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createInterface } from 'node:readline';

const [store, passphrase] = process.argv.slice(2);
const waiting = [];
createInterface({ input: process.stdin }).on('line', (line) => waiting.shift()?.(line));
const say = (seen) => process.stdout.write(`${JSON.stringify(seen)}\n`);

const flood = async (answer) => {
  let closed = false;
  const closing = once(answer, 'close').then(() => (closed = true));
  const event = `data: ${'x'.repeat(64 * 1024)}\n\n`;
  while (!closed) {
    if (answer.write(event)) continue;
    await Promise.race([once(answer, 'drain'), closing]);
  }
};

const server = createSecureServer({ pfx: readFileSync(store), passphrase }, async (request, answer) => {
  let body = '';
  for await (const part of request) body += part;
  say({ version: request.httpVersion, key: request.headers['x-api-key'], path: request.url, body });
  request.stream.once('aborted', () => say({ aborted: true }));
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  if (JSON.parse(body).model === 'flood') {
    await flood(answer);
    return;
  }
  answer.write('data: one\n\n');
  await new Promise((resolve) => waiting.push(resolve));
  answer.end('data: two\n\n');
});
server.listen(0, '127.0.0.1', () => say({ port: server.address().port }));
