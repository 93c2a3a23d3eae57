import type { ServiceDefinition } from '@postroom/runtime/service';

/** Every service that runs, by the name of its folder, its image and its place in the chart; a new one is one line. */
export const SERVICES = [
  'workspace',
  'view-filter',
  'mailbox-read',
  'mailbox-write',
  'label-rule',
  'outbound-send',
  'classifier',
  'forwarder',
  // The door: opened last, and so the first to take no more work.
  'gateway',
] as const;

export type ServiceName = (typeof SERVICES)[number];

type Variable<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Uppercase<First>}_${Variable<Rest>}`
  : `${Uppercase<Name>}_ADDR`;
export type AddressVariable = Variable<ServiceName>;

/** Where each service answers gRPC, by the variable in which its callers are told; the chart makes the same names. */
export type Addresses = Readonly<Record<AddressVariable, string> & { [OPERATOR_ADDRESS]: string }>;

/** The second door of workspace, which a token opens. */
export const OPERATOR_ADDRESS = 'WORKSPACE_OPERATOR_ADDR';

export const addressVariable = (name: string) => `${name.toUpperCase().replaceAll('-', '_')}_ADDR` as AddressVariable;

/** By its name alone, as its image is built: npm has linked every service of the repository. */
export function loadService(name: string): ServiceDefinition<unknown, unknown> {
  return (require(`@postroom/${name}/service`) as { service: ServiceDefinition<unknown, unknown> }).service;
}
