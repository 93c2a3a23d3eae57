import { port, text } from '@postroom/runtime/config';

/** The listening address of gRPC. All services have the same variables. */
export const serverFields = {
  HOST: text.default('0.0.0.0').describe('The address that the process listens on.'),
  GRPC_PORT: port.default(50051).describe('The port of gRPC.'),
};

export function serverAddress({ HOST, GRPC_PORT }: { HOST: string; GRPC_PORT: number }): string {
  return `${HOST}:${GRPC_PORT}`;
}
