import { ConfigError, secret, text } from './config.ts';
import type { GrpcTls } from './service.ts';

/** Each is PEM, mounted as a file by its `_FILE` form. All three, and services speak and want mutual TLS; none, and none. */
export const grpcTlsFields = {
  GRPC_TLS_CERT: text.optional(),
  GRPC_TLS_KEY: secret.optional(),
  GRPC_TLS_CA: text.optional(),
};

type GrpcTlsConfig = Partial<Record<keyof typeof grpcTlsFields, string | undefined>>;

export function grpcTlsOf({ GRPC_TLS_CERT, GRPC_TLS_KEY, GRPC_TLS_CA }: GrpcTlsConfig): GrpcTls | undefined {
  if (GRPC_TLS_CERT && GRPC_TLS_KEY && GRPC_TLS_CA) return { cert: GRPC_TLS_CERT, key: GRPC_TLS_KEY, ca: GRPC_TLS_CA };
  if (!GRPC_TLS_CERT && !GRPC_TLS_KEY && !GRPC_TLS_CA) return undefined;
  // Half of it would be a service that is in the clear although somebody asked for more.
  throw new ConfigError(['GRPC_TLS_CERT, GRPC_TLS_KEY and GRPC_TLS_CA go together; set all three or none']);
}
