import { ApiError } from '@postroom/errors/api-error';
import type { CommandResult } from './command.ts';
import { CommandRefusal, type CommandDeps } from './command-deps.ts';

/** An empty list of a workspace that does not exist reads like one of a workspace in which all is well. */
export async function requireWorkspaceOfEmptyList(
  { json }: CommandResult,
  { workspaceId }: Readonly<Record<string, unknown>>,
  deps: Pick<CommandDeps, 'workspaces'>,
): Promise<void> {
  const { items } = json as { items?: readonly unknown[] };
  if (items?.length !== 0 || typeof workspaceId !== 'string') return;
  try {
    await deps.workspaces().listKeys({ workspaceId }, {});
  } catch (error) {
    // The list stands where nobody can be asked about the workspace.
    const isUnanswered = error instanceof ApiError && error.code !== 'NOT_FOUND';
    if (!isUnanswered && !(error instanceof CommandRefusal)) throw error;
  }
}
