import { createPrivateKey, X509Certificate } from 'node:crypto';
import { ConfigError, secret, text } from './config.ts';
import type { GrpcTls } from './service.ts';
import type { VariableChanges } from './variable-changes.ts';

/** PEM, mounted as files by their `_FILE` forms. With all three, services use and require mutual TLS; with none, they do not. */
export const grpcTlsFields = {
  GRPC_TLS_CERT: text
    .optional()
    .describe('PEM of the certificate. With the three `GRPC_TLS_` variables, services use and require mutual TLS.'),
  GRPC_TLS_KEY: secret.optional().describe('PEM of the key of `GRPC_TLS_CERT`.'),
  GRPC_TLS_CA: text.optional().describe('PEM of the authority that signs the certificates of all services.'),
};

type GrpcTlsConfig = Partial<Record<keyof typeof grpcTlsFields, string | undefined>>;

export function grpcTlsOf({ GRPC_TLS_CERT, GRPC_TLS_KEY, GRPC_TLS_CA }: GrpcTlsConfig): GrpcTls | undefined {
  if (GRPC_TLS_CERT && GRPC_TLS_KEY && GRPC_TLS_CA) return { cert: GRPC_TLS_CERT, key: GRPC_TLS_KEY, ca: GRPC_TLS_CA };
  if (!GRPC_TLS_CERT && !GRPC_TLS_KEY && !GRPC_TLS_CA) return undefined;
  // With a part of them a service would talk in the clear although somebody asked for TLS.
  throw new ConfigError(['GRPC_TLS_CERT, GRPC_TLS_KEY and GRPC_TLS_CA go together; set all three or none']);
}

/** The same, renewed when the files change. Files are read one by one, so a new pair is used only when key and certificate fit. */
export function changingTls(tls: GrpcTls, changes: VariableChanges): GrpcTls {
  const latest = { ...tls };
  let inUse = { ...tls };
  const listeners = new Set<() => void>();
  const take = (part: 'cert' | 'key' | 'ca') => (changed: string) => {
    latest[part] = changed;
    if (!new X509Certificate(latest.cert).checkPrivateKey(createPrivateKey(latest.key)))
      throw new Error('the key is not that of the certificate');
    inUse = { ...latest };
    for (const listener of listeners) listener();
  };
  changes.on('GRPC_TLS_CERT', take('cert'));
  changes.on('GRPC_TLS_KEY', take('key'));
  changes.on('GRPC_TLS_CA', take('ca'));
  return {
    get cert() {
      return inUse.cert;
    },
    get key() {
      return inUse.key;
    },
    get ca() {
      return inUse.ca;
    },
    onChange: (listener) => void listeners.add(listener),
  };
}
