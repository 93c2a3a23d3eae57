import { freePort } from './free-port.ts';
import { type Addresses, addressVariable, operatorAddressVariable, SERVICES, type ServiceName } from './services.ts';

const HOST = '127.0.0.1';

/** The listening ports of a service as environment variables. Each service reads the ones that it uses. */
export interface Ports {
  GRPC_PORT: string;
  HTTP_PORT: string;
  OPERATOR_PORT: string;
}

/** Free ones, known before anything is open, so that services may call each other in any direction. */
export async function choosePorts(
  wished: Partial<Record<ServiceName, number>> = {},
): Promise<Record<ServiceName, Ports>> {
  const chosen = SERVICES.map(async (name) => {
    const [port, operatorPort] = await Promise.all([wished[name] || freePort(0), freePort(0)]);
    return [name, { GRPC_PORT: `${port}`, HTTP_PORT: `${port}`, OPERATOR_PORT: `${operatorPort}` }] as const;
  });
  return Object.fromEntries(await Promise.all(chosen)) as Record<ServiceName, Ports>;
}

export function addressesOf(ports: Record<ServiceName, Ports>): Addresses {
  const pairs = SERVICES.flatMap((name) => [
    [addressVariable(name), `${HOST}:${ports[name].GRPC_PORT}`],
    [operatorAddressVariable(name), `${HOST}:${ports[name].OPERATOR_PORT}`],
  ]);
  return Object.fromEntries(pairs) as Addresses;
}
