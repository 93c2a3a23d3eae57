import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { MailboxWriteServiceDefinition as MailboxWrite } from '@postroom/proto/postroom/v1/mailbox_write';
import {
  ComposeRequest,
  type OutboundSendServiceDefinition,
  OutboundSendServiceDefinition as OutboundSend,
} from '@postroom/proto/postroom/v1/outbound_send';
import type { Client } from '@postroom/rpc/definition';
import { createProcess, type Process, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';
import { findAll } from '../workload.ts';
import { type Act, type Deed, type Draft, nameOfVersion, type Said } from './drafts.ts';
import { type Address, toIncoming } from './mail-source.ts';
import { type MailProgram, openMailProgram } from './mail-program.ts';
import { PERSON } from './stoppers.ts';
import { askUntilTold, untilDone } from './told.ts';

interface Writer extends Address {
  process: Process;
  program: MailProgram;
  outboundSend: Client<OutboundSendServiceDefinition>;
  mailboxWrite: Client<MailboxWriteServiceDefinition>;
  replyRuleId: string;
}

const LONGEST_PAUSE_MS = 12_000;
/** A person reads, and then acts on what they have read. */
const LONGEST_READING_MS = 2_500;
const SHARE_OF_REFUSED = 0.3;
const AGENT = { kind: 'key', id: 'key_of_agent', name: 'an agent' };

/** Several people and agents send, edit and throw away the same drafts. */
export function openWriters(
  world: World,
  network: Network,
  { address, replyRuleId }: { address: Address; replyRuleId: string },
  drafts: readonly Draft[],
): void {
  const process = createProcess(world, `writers of ${address.workspaceId}`);
  const [outboundSend, mailboxWrite] = [network.connect(OutboundSend, process), network.connect(MailboxWrite, process)];
  const program = openMailProgram(process, network, address);
  const writer: Writer = { ...address, process, program, outboundSend, mailboxWrite, replyRuleId };
  const { clock } = process.context;
  const play = async (draft: Draft): Promise<void> => {
    await clock.sleep(world.chance.below(LONGEST_PAUSE_MS));
    draft.draftIds.push(await untilDone(process, () => make(writer, draft)));
    await Promise.all(
      draft.acts.map(async ({ act, afterMs }) => {
        await clock.sleep(afterMs);
        await DO[act](writer, draft, draft.draftIds.at(-1) ?? '');
      }),
    );
    draft.isDone = true;
  };
  within(process, () => drafts.forEach((draft) => void play(draft)));
}

const partsOf = (name: string) => ({
  to: `ann.${name}@far.example`,
  subject: `About ${name}`,
  text: `Text of ${name}`,
});

async function make({ mailboxWrite, outboundSend, ...writer }: Writer, draft: Draft): Promise<string> {
  const { workspaceId, mailboxId, replyRuleId: ruleId } = writer;
  const { to, subject, text } = partsOf(nameOfVersion(draft, 0));
  const call = { workspaceId, operationId: draft.name };
  draft.versions = 1;
  if (!draft.isReply) {
    const asked = ComposeRequest.create({ mailboxId, to: [{ email: to }], subject, body: { text } });
    return (await outboundSend.createDraft(asked, call)).draftId;
  }
  const mail = toIncoming({ subject, messageId: `${draft.name}@far.example`, from: to });
  const { outcomes } = await mailboxWrite.ingest({ mailboxId, messages: [mail], isRepeat: false }, { workspaceId });
  const emailId = outcomes[0]?.emailId ?? '';
  const asked = { emailId, ruleId, text, draftOnly: false, delayMinutes: draft.delayMinutes };
  return (await outboundSend.scheduleReply(asked, call)).draftId;
}

type Do = (writer: Writer, draft: Draft, draftId: string) => Promise<void>;

const DO: Readonly<Record<Act, Do>> = {
  'an agent sends': (writer, draft, draftId) =>
    tell(writer, begin(writer, draft, 'an agent sends', draftId), async () => {
      const agent = { ...AGENT, level: 'send' };
      return sentOf(await writer.outboundSend.sendDraft({ draftId, agent }, callOf(writer)));
    }),

  'an agent asks': async (writer, draft, draftId) => {
    const deed = begin(writer, draft, 'an agent asks', draftId);
    let approvalId: string | undefined;
    await tell(writer, deed, async () => {
      const agent = { ...AGENT, level: 'approve' };
      const answer = await writer.outboundSend.sendDraft({ draftId, agent }, callOf(writer));
      if (answer.status === 'waiting_for_approval') approvalId = answer.approvalId;
      return answer.status === 'waiting_for_approval' ? 'left' : sentOf(answer);
    });
    if (approvalId !== undefined) await decide(writer, draft, draftId, approvalId);
  },

  'a person sends': async (writer, draft, draftId) => {
    const seenDate = await readDate(writer, draftId);
    if (seenDate === undefined) return;
    await tell(writer, begin(writer, draft, 'a person sends', draftId), async () =>
      sentOf(await writer.outboundSend.sendOwnDraft({ actorId: PERSON, draftId, seenDate }, callOf(writer))),
    );
  },

  'a person edits': async (writer, draft, draftId) => {
    const { to, subject, text } = partsOf(nameOfVersion(draft, draft.versions));
    draft.versions += 1;
    const seenDate = await readDate(writer, draftId);
    if (seenDate === undefined) return;
    const deed = begin(writer, draft, 'a person edits', draftId);
    const asked = { actorId: PERSON, draftId, seenDate, to: [to], cc: [], bcc: [], subject, text };
    await tell(writer, deed, async () => {
      deed.newDraftId = (await writer.outboundSend.replaceDraft(asked, callOf(writer))).draftId;
      return 'edited';
    });
    if (deed.said === 'edited' && deed.newDraftId) draft.draftIds.push(deed.newDraftId);
  },

  'a mail program edits': async (writer, draft, draftId) => {
    const parts = partsOf(nameOfVersion(draft, draft.versions));
    draft.versions += 1;
    const deed = begin(writer, draft, 'a mail program edits', draftId);
    await tell(writer, deed, async () => ((await writer.program.edit(draftId, parts)) ? 'saved' : 'declined'));
  },

  'a person discards': async (writer, draft, draftId) => {
    const seenDate = await readDate(writer, draftId);
    if (seenDate === undefined) return;
    await tell(writer, begin(writer, draft, 'a person discards', draftId), async () => {
      await writer.mailboxWrite.discardDraft({ draftId, seenDate }, callOf(writer));
      return 'discarded';
    });
  },

  'a person trashes': (writer, draft, draftId) =>
    tell(writer, begin(writer, draft, 'a person trashes', draftId), async () => {
      await writer.mailboxWrite.deleteEmail({ emailId: draftId }, callOf(writer));
      return 'trashed';
    }),
};

/** A person reads what waits for them, and approves or refuses it. */
async function decide(writer: Writer, draft: Draft, draftId: string, approvalId: string): Promise<void> {
  const { process, outboundSend } = writer;
  const approve = !process.world.chance.happens(SHARE_OF_REFUSED);
  const deed = begin(writer, draft, approve ? 'a person approves' : 'a person refuses', draftId);
  await tell(writer, deed, async () => {
    if (deed.seen === undefined) {
      const { subject, to, body } = await outboundSend.getApproval({ actorId: PERSON, approvalId }, callOf(writer));
      deed.seen = [subject, ...to, body?.text].join(' ');
      await process.context.clock.sleep(process.world.chance.below(LONGEST_READING_MS));
    }
    await outboundSend.decideApproval({ actorId: PERSON, approvalId, approve }, callOf(writer));
    return approve ? 'approved' : 'refused';
  });
}

const callOf = ({ workspaceId }: Writer) => ({ workspaceId });

/** A call that is answered before its message is sent is made again. */
function sentOf({ status }: { status: string }): Said {
  if (status !== 'sent') throw new Error(`the draft is ${status}`);
  return 'sent';
}

function begin({ process: { world } }: Writer, draft: Draft, act: Deed['act'], draftId: string): Deed {
  const deed: Deed = { act, draftId, askedAt: world.now() };
  draft.deeds.push(deed);
  return deed;
}

async function tell({ process }: Writer, deed: Deed, ask: () => Promise<Said>): Promise<void> {
  const { trace } = process.world;
  trace.say(process.name, `${deed.act} ${deed.draftId}`);
  await askUntilTold(process, deed, ask);
  trace.say(process.name, `${deed.act} ${deed.draftId}: ${deed.said}`);
}

/** The date of the version that a person reads; undefined where there is none any more. */
async function readDate({ process: { world, context } }: Writer, draftId: string): Promise<string | undefined> {
  const emails = await findAll<{ _id: string; date: Date }>(world, 'emails', { date: 1 });
  const read = emails.find(({ _id }) => _id === draftId)?.date.toISOString();
  await context.clock.sleep(world.chance.below(LONGEST_READING_MS));
  return read;
}
