import { port, text } from '@postroom/runtime/config';

/** Where a service listens for gRPC: the same variables in every service. */
export const serverFields = { HOST: text.default('0.0.0.0'), GRPC_PORT: port.default(50051) };

export function serverAddress({ HOST, GRPC_PORT }: { HOST: string; GRPC_PORT: number }): string {
  return `${HOST}:${GRPC_PORT}`;
}
