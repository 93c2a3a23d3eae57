import type { Call } from '@postroom/rpc/call';
import { connect } from '@postroom/rpc/connect';
import type { GenericDefinition, Implementation } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';

type Client = Record<string, (request: unknown, call: Call) => Promise<unknown>>;

/** Where a test steps in between a service and who calls it; it names the rpc. */
interface ProxySteps {
  beforeCall?(rpc: string): Promise<void>;
  /** After the service has said yes, and before its caller hears it. */
  atYes?(rpc: string): Promise<void>;
}

/** The service behind an address, whose every call passes through the steps. */
export function proxyTo(
  definition: GenericDefinition,
  address: string,
  steps: ProxySteps,
  context: ServiceContext,
): Implementation {
  const client = connect(definition, address, { context }) as unknown as Client;
  const handlers = Object.keys(definition.methods).map((rpc) => [
    rpc,
    async (request: unknown, call: Call) => {
      await steps.beforeCall?.(rpc);
      const answer = await client[rpc]?.(request, call);
      await steps.atYes?.(rpc);
      return answer;
    },
  ]);
  return { definition, handlers: Object.fromEntries(handlers), later: [] };
}
