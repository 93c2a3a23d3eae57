import type { Feature } from '@postroom/contract/lists';
import type { ServiceDefinition } from '@postroom/runtime/service';

/** Every service that runs, by the name of its folder, of its image and in the chart; a new one is one line. */
export const SERVICES = [
  'workspace',
  'view-filter',
  'mailbox-write',
  'mailbox-sync',
  'mailbox-read',
  'label-rule',
  'outbound-send',
  'classifier',
  'forwarder',
  'changes',
  'identity',
  'webhook-delivery',
  // The services that callers see open last, and so stop first to take new work.
  'app',
  'gateway',
  'mcp',
] as const;

export type ServiceName = (typeof SERVICES)[number];

/** Services that only these parts of the API need: while all of them are closed, the service does nothing. */
const NEEDED_BY: Partial<Record<ServiceName, readonly Feature[]>> = {
  changes: ['changes', 'webhooks'],
  'webhook-delivery': ['webhooks'],
};

/** The services that nothing needs while these parts of the API alone are open. */
export function unneededServices(open: readonly Feature[]): ServiceName[] {
  return SERVICES.filter((name) => NEEDED_BY[name]?.every((feature) => !open.includes(feature)));
}

type Upper<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Uppercase<First>}_${Upper<Rest>}`
  : Uppercase<Name>;
type AddressVariable = `${Upper<ServiceName>}_ADDR`;
type OperatorAddressVariable = `${Upper<ServiceName>}_OPERATOR_ADDR`;

/** The gRPC address of each service, by the variable that its callers read. The chart makes the same names. */
export type Addresses = Readonly<Record<AddressVariable | OperatorAddressVariable, string>>;

const upper = (name: string) => name.toUpperCase().replaceAll('-', '_');

export const addressVariable = (name: string) => `${upper(name)}_ADDR` as AddressVariable;

/** The variable with the address of the admin API of a service. */
export const operatorAddressVariable = (name: string) => `${upper(name)}_OPERATOR_ADDR` as OperatorAddressVariable;

/** By its name alone, as its image is built: npm has linked every service of the repository. */
export function loadService(name: string): ServiceDefinition<unknown, unknown> {
  return (require(`@postroom/${name}/service`) as { service: ServiceDefinition<unknown, unknown> }).service;
}
