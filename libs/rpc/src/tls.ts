import { credentials, ServerCredentials, type ChannelCredentials } from '@grpc/grpc-js';
import type { GrpcTls } from '@postroom/runtime/service';

/** With TLS both ends show a certificate, and each wants the other's to come from the authority. */
export function serverCredentials(tls: GrpcTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const { ca, cert, key } = inBytes(tls);
  return ServerCredentials.createSsl(ca, [{ cert_chain: cert, private_key: key }], true);
}

export function clientCredentials(tls: GrpcTls | undefined): ChannelCredentials {
  if (!tls) return credentials.createInsecure();
  const { ca, cert, key } = inBytes(tls);
  return credentials.createSsl(ca, key, cert);
}

function inBytes({ ca, cert, key }: GrpcTls) {
  return { ca: Buffer.from(ca), cert: Buffer.from(cert), key: Buffer.from(key) };
}
