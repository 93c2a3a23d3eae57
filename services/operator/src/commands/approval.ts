import { ApiError } from '@postroom/errors/api-error';
import type { Approval } from '@postroom/proto/postroom/v1/outbound_send';
import { type Command, type CommandResult, defineCommand } from '../command/command.ts';
import { type CommandDeps, CommandRefusal } from '../command/command-deps.ts';
import { textOption } from '../command/option.ts';
import { printable } from '../command/output.ts';

const workspaceId = textOption('--workspace <id>', 'the workspace');
const approvalId = textOption('--approval <id>', 'the approval; "postroom approval list" shows them');
/** Operators decide without a role. */
const NOBODY = { actorId: '' };

const list = defineCommand({
  path: ['approval', 'list'],
  summary: 'Shows the messages of agents that wait for a person, the newest first',
  options: { workspaceId },
  run: async ({ workspaceId: whose }, deps) => {
    const { items } = await deps.sends().listWaitingSends(NOBODY, { workspaceId: whose });
    return {
      json: { items: items.map(withoutBody) },
      table: {
        head: ['id', 'client', 'from', 'to', 'subject', 'asked', 'ends'],
        rows: items.map((one) => [
          one.id,
          one.agentName,
          one.from,
          [...one.to, ...one.cc, ...one.bcc].join(', '),
          one.subject,
          one.createdAt,
          one.expiresAt,
        ]),
      },
    };
  },
});

const show = defineCommand({
  path: ['approval', 'show'],
  summary: 'Shows one of them in full, as it leaves',
  options: { workspaceId, approvalId },
  run: async ({ workspaceId: whose, approvalId: id }, deps) =>
    whole(await hinted(deps.sends().getWaitingSend({ ...NOBODY, approvalId: id }, { workspaceId: whose }))),
});

const approve = defineCommand({
  path: ['approval', 'approve'],
  summary: 'Sends a message that waits; read it by "postroom approval show" first',
  options: { workspaceId, approvalId },
  run: async ({ workspaceId: whose, approvalId: id }, deps) => {
    const draftId = await decide({ whose, id, approve: true }, deps);
    return { json: { draftId, decision: 'approved' }, lines: [`Draft ${draftId} is approved and leaves now.`] };
  },
});

const refuse = defineCommand({
  path: ['approval', 'refuse'],
  summary: 'Refuses a message that waits; its draft stays, and the same text is not asked for again',
  options: { workspaceId, approvalId },
  run: async ({ workspaceId: whose, approvalId: id }, deps) => {
    const draftId = await decide({ whose, id, approve: false }, deps);
    return { json: { draftId, decision: 'refused' }, lines: [`Draft ${draftId} is refused and stays a draft.`] };
  },
});

export const approvalCommands: readonly Command[] = [list, show, approve, refuse];

async function decide(
  { whose, id, approve: isApproved }: { whose: string; id: string; approve: boolean },
  deps: CommandDeps,
): Promise<string> {
  const decision = { ...NOBODY, approvalId: id, approve: isApproved };
  return (await hinted(deps.sends().decideWaitingSend(decision, { workspaceId: whose }))).draftId;
}

async function hinted<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
    throw new CommandRefusal(
      'the workspace has no such approval, or the draft was changed since; "postroom approval list --workspace ID" shows them',
    );
  });
}

function withoutBody(approval: Approval) {
  const { body: _body, personId = null, ...rest } = approval;
  return { ...rest, personId };
}

function whole(approval: Approval): CommandResult {
  const { html = null, text = null } = approval.body ?? {};
  const { id, agentName, from, to, cc, bcc, subject, createdAt, expiresAt } = approval;
  const rows = { id, client: agentName, from, to: to.join(', '), cc: cc.join(', '), bcc: bcc.join(', '), subject };
  return {
    json: { ...withoutBody(approval), body: { html, text } },
    lines: [
      ...Object.entries({ ...rows, asked: createdAt, ends: expiresAt }).map(([name, value]) => `${name}: ${value}`),
      ...(text === null ? [] : ['', ...text.split('\n')]),
      ...(html === null ? [] : ['', 'html:', ...html.split('\n')]),
    ].map(printable),
  };
}
