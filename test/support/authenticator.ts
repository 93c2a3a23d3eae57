import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Creation {
  challenge: string;
  rp: { id?: string };
}

interface Asked {
  challenge: string;
  rpId?: string;
}

/** A device with one passkey, as a browser would answer for it (WebAuthn, ES256, attestation "none"). */
export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let counter = 0;

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const USER_PRESENT_AND_VERIFIED = 0x05;
  const WITH_CREDENTIAL = 0x40;
  const authData = (rpId: string, flags: number, rest = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE((counter += 1));
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count, rest]);
  };

  return {
    id: id.toString('base64url'),
    create: ({ challenge, rp }: Creation) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(jwk).bytes]);
      const data = authData(rp.id ?? '', USER_PRESENT_AND_VERIFIED | WITH_CREDENTIAL, credential);
      const attestation = map([
        ['fmt', 'none'],
        ['attStmt', map([])],
        ['authData', data],
      ]);
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: attestation.bytes.toString('base64url'),
          transports: ['internal'],
        },
      };
    },

    use: ({ challenge, rpId = '' }: Asked) => {
      const data = authData(rpId, USER_PRESENT_AND_VERIFIED);
      const client = clientData('webauthn.get', challenge);
      const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), privateKey);
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}

function coseKey({ x = '', y = '' }: { x?: string; y?: string }): Encoded {
  return map([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
}

/** Text, a number, bytes, or a map that is encoded already. */
type Cbor = number | string | Buffer | Encoded;

interface Encoded {
  bytes: Buffer;
}

/** As much of CBOR (RFC 8949) as a new passkey needs. */
function map(entries: readonly (readonly [number | string, Cbor])[]): Encoded {
  const pairs = entries.flatMap(([key, value]) => [encode(key), encode(value)]);
  return { bytes: Buffer.concat([head(5, entries.length), ...pairs]) };
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  return Buffer.isBuffer(value) ? Buffer.concat([head(2, value.length), value]) : value.bytes;
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
