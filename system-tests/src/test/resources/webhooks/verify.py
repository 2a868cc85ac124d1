"""The same by the specification's algorithm alone, with nothing but Python's own library."""
import base64, hashlib, hmac, json, sys, time

for line in sys.stdin:
    delivery = json.loads(line)
    headers = delivery["headers"]

    def accepts(text):
        key = base64.b64decode(delivery["secret"].removeprefix("whsec_"))
        if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
            return False
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{text}".encode()
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        return any(
            hmac.compare_digest(given, "v1," + expected) for given in headers["webhook-signature"].split(" "))

    print(str(accepts(delivery["body"])).lower(), str(accepts(delivery["body"].replace('"run.', '"ran.'))).lower())
