import type { WorkspaceVisit } from './route.ts';
import type { AppServices } from './services.ts';

/** By the ids of the people. */
export async function namesOfMembers(
  { identity }: Pick<AppServices, 'identity'>,
  visit: WorkspaceVisit,
): Promise<ReadonlyMap<string, string>> {
  const { items } = await identity.listMembers({}, visit);
  return new Map(items.map(({ personId, name, email }) => [personId, name || email]));
}
