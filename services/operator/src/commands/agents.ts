import { ApiError } from '@postroom/errors/api-error';
import type { AgentSending } from '@postroom/proto/postroom/v1/outbound_send';
import { type Command, type CommandResult, defineCommand } from '../command/command.ts';
import { type CommandDeps, CommandRefusal } from '../command/command-deps.ts';
import { textOption } from '../command/option.ts';

const workspaceId = textOption('--workspace <id>', 'the workspace');

const list = defineCommand({
  path: ['agents', 'list'],
  summary: 'Shows the MCP clients that people have let into a workspace, and whether sending by agents is stopped',
  options: { workspaceId },
  run: async ({ workspaceId: whose }, deps) => {
    const { items } = await deps.identityOperators().listEveryGrant({ workspaceId: whose }, {});
    const asked = { actorId: '', agentIds: items.map(({ id }) => id) };
    const sending = await deps.sends().showAgentSending(asked, { workspaceId: whose });
    const sends = new Map(sending.today.map(({ agentId, sends: count }) => [agentId, count]));
    const grants = items.map((grant) => ({ ...grant, sendsToday: sends.get(grant.id) ?? 0 }));
    return {
      json: { items: grants, sending: toJson(sending) },
      table: {
        head: ['id', 'client', 'host', 'level', 'person', 'sends today', 'since'],
        rows: grants.map((one) => [
          one.id,
          one.clientName,
          one.clientHost,
          one.level,
          one.personName || one.personId,
          `${one.sendsToday} of ${sending.sendsPerDay}`,
          one.createdAt,
        ]),
      },
      lines: stateLines(sending),
    };
  },
});

const revoke = defineCommand({
  path: ['agents', 'revoke'],
  summary: 'Ends what a person has given an MCP client, with all of its tokens',
  options: { workspaceId, grantId: textOption('--grant <id>', 'the grant; "postroom agents list" shows them') },
  run: async ({ workspaceId: whose, grantId }, deps) => {
    await deps
      .identityOperators()
      .endGrant({ workspaceId: whose, grantId }, {})
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
        throw new CommandRefusal(
          'the workspace has no such grant; "postroom agents list --workspace ID" shows those it has',
        );
      });
    return { json: { id: grantId }, lines: [`Grant ${grantId} is ended; its tokens open nothing within a minute.`] };
  },
});

const stop = defineCommand({
  path: ['agents', 'stop'],
  summary: 'Stops all sending by agents of a workspace at once, approved messages included',
  options: { workspaceId },
  run: ({ workspaceId: whose }, deps) => set(whose, true, deps),
});

const resume = defineCommand({
  path: ['agents', 'resume'],
  summary: 'Allows sending by agents again',
  options: { workspaceId },
  run: ({ workspaceId: whose }, deps) => set(whose, false, deps),
});

export const agentCommands: readonly Command[] = [list, revoke, stop, resume];

async function set(whose: string, stopped: boolean, deps: CommandDeps): Promise<CommandResult> {
  const sending = await deps.sends().switchAgentSending({ actorId: '', stopped }, { workspaceId: whose });
  return { json: toJson(sending), lines: stateLines(sending) };
}

const stateLines = ({ stopped, stoppedAt }: AgentSending): string[] => [
  stopped
    ? `All sending by agents is stopped since ${stoppedAt}; "postroom agents resume" allows it again.`
    : 'Agents send as far as their levels go.',
];

function toJson({ stopped, stoppedAt, stoppedBy, sendsPerDay }: AgentSending) {
  return { stopped, stoppedAt: stoppedAt ?? null, stoppedBy: stoppedBy ?? null, sendsPerDay };
}
