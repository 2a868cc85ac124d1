// Reads deliveries as JSON lines, and says of each whether the public verifier accepts it as it came, and with a changed byte.
const { Webhook } = require("standardwebhooks");
const { createInterface } = require("node:readline");

createInterface({ input: process.stdin }).on("line", (line) => {
  const { secret, headers, body } = JSON.parse(line);
  const accepts = (text) => {
    try {
      new Webhook(secret).verify(text, headers);
      return true;
    } catch {
      return false;
    }
  };
  console.log(`${accepts(body)} ${accepts(body.replace('"run.', '"ran.'))}`);
});
