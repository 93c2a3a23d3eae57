import { ApiKey, ResolveKeyResponse, Workspace } from '@postroom/proto/postroom/v1/workspace';
import { implement, type GenericDefinition, type Handlers } from '@postroom/rpc/definition';

const createdAt = new Date().toISOString();

/** Every key is known, and opens a workspace of its own. */
export function resolveKey(hash: string): ResolveKeyResponse {
  return ResolveKeyResponse.create({
    key: ApiKey.create({ id: `key_${hash}`, name: 'bench', scopes: ['read'], createdAt }),
    workspace: Workspace.create({ id: `wsp_${hash}`, name: 'bench', plan: 'expert', planInForce: 'expert', createdAt }),
  });
}

/** The rpcs that a bench calls; the others answer UNIMPLEMENTED. */
export const only = <D extends GenericDefinition>(definition: D, handlers: Partial<Handlers<D>>) =>
  implement(
    definition,
    handlers as Handlers<D>,
    Object.keys(definition.methods).filter((name) => !(name in handlers)),
  );
