import { ApiError } from '@postroom/errors/api-error';
import { isPeersAnswer } from '@postroom/errors/grpc-status';
import { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import { ComposeRequest, OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { sendIdOf } from '../../../services/outbound-send/src/new-send/new-send.ts';
import { createProcess, type Process, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';
import { type Address, type Mail, openMailSource } from './mail-source.ts';
import { DEFERRED, STRANGER } from './smtp.ts';
import { PERSON, type Stopped, stopMessage } from './stoppers.ts';
import { untilDone } from './told.ts';

const KINDS = ['send', 'draft', 'reply', 'forward'] as const;

/** A message that somebody asked for: a person by the API, or a rule about an email. */
export interface Asked {
  kind: (typeof KINDS)[number];
  workspaceId: string;
  operationId: string;
  /** Of a draft that somebody has made and sends. */
  draftId?: string;
  to: string;
  /** Recipients whom the mail server may refuse, for now or for good. */
  others: readonly string[];
  /** Two calls at once, and more of them until one says that the message was sent. */
  isTwice: boolean;
  /** A reply or a forward that a person stops, if they are in time. */
  isStopped: boolean;
  /** Its email is thrown away. */
  isTrashed: boolean;
  trashedAt?: number;
  /** A reply that waits for a minute. */
  isLater: boolean;
  /** The answer to the person. */
  stopped?: Stopped;
  /** The last answer to the caller. */
  told?: 'taken' | 'not sent';
}

export interface Rules {
  replyRuleId: string;
  forwardRuleId: string;
  forwardTo: string;
}

const AGAIN_MS = 3_000;
const BETWEEN_CALLS_MS = 3_000;
const LONGEST_PAUSE_MS = 12_000;
const LONGEST_UNTIL_TRASHED_MS = 4_000;
const SHARE_OF_STRANGERS = 0.15;
const SHARE_OF_TWICE = 0.4;
const SHARE_OF_STOPPED = 0.4;
const SHARE_OF_TRASHED = 0.3;
const SHARE_OF_LATER = 0.3;
const SHARE_OF_OTHERS = 0.5;
const OTHERS = [DEFERRED, `${DEFERRED}.too`, STRANGER];

/** A caller waits for it, and sends it anew after a refusal. */
const isByPerson = ({ kind }: Pick<Asked, 'kind'>): boolean => kind === 'send' || kind === 'draft';
export const isForStranger = ({ to }: Asked): boolean => to.startsWith(STRANGER);

/** Draws what one workspace asks for. Each reply and forward comes with an email that it is about. */
export function drawAsked({ chance }: World, { workspaceId }: Address, count: number, { forwardTo }: Rules): Asked[] {
  return Array.from({ length: count }, (_, n) => {
    const kind = chance.pick(KINDS);
    const name = chance.happens(SHARE_OF_STRANGERS) ? STRANGER : 'ann';
    const to = kind === 'forward' ? forwardTo : `${name}.${n}@far.example`;
    const isToOthers = kind === 'send' && name !== STRANGER && chance.happens(SHARE_OF_OTHERS);
    const others = isToOthers ? OTHERS.map((other) => `${other}.${n}.of.${workspaceId}@far.example`) : [];
    const isTwice = isByPerson({ kind }) && name !== STRANGER && chance.happens(SHARE_OF_TWICE);
    const isStopped = !isByPerson({ kind }) && chance.happens(SHARE_OF_STOPPED);
    const isTrashed = !isByPerson({ kind }) && !isStopped && chance.happens(SHARE_OF_TRASHED);
    const isLater = kind === 'reply' && (isStopped || isTrashed) && chance.happens(SHARE_OF_LATER);
    const operationId = `${kind} ${n} of ${workspaceId}`;
    return { kind, workspaceId, operationId, to, others, isTwice, isStopped, isTrashed, isLater };
  });
}

/** Stands for gateway, classifier and forwarder. */
export function openCallers(
  world: World,
  network: Network,
  address: Address,
  rules: Rules,
  asked: readonly Asked[],
): void {
  const process = createProcess(world, `callers of ${address.workspaceId}`);
  const ask = createAsk(network, process, address, rules);
  const byRule = async (one: Asked, emailId: string): Promise<void> => {
    await untilAnswered(process, one, () => (one.kind === 'reply' ? ask.reply : ask.forward)(one, emailId));
    if (one.isStopped) await ask.stop(one, emailId);
  };
  const mails = asked.filter((one) => !isByPerson(one)).map((one) => ({ one, mail: mailAbout(one) }));
  const onStored = (mail: Mail, emailId: string) => {
    const about = mails.find((candidate) => candidate.mail === mail);
    if (!about) return;
    within(process, () => void byRule(about.one, emailId));
    if (about.one.isTrashed) within(process, () => void ask.trash(about.one, emailId));
  };
  const allMails = mails.map(({ mail }) => mail);
  void openMailSource(world, network, address, allMails, onStored);
  const send = async (one: Asked): Promise<void> => {
    await process.context.clock.sleep(world.chance.below(LONGEST_PAUSE_MS));
    const calls = one.isTwice ? [0, world.chance.below(BETWEEN_CALLS_MS)] : [0];
    await Promise.all(
      calls.map(async (afterMs) => {
        await process.context.clock.sleep(afterMs);
        await untilAnswered(process, one, () => (one.kind === 'draft' ? ask.draft(one) : ask.send(one)));
      }),
    );
  };
  within(process, () => asked.filter(isByPerson).forEach((one) => void send(one)));
}

const AGENT = { kind: 'key', id: 'key_of_caller', level: 'send', name: 'a caller' };

function createAsk(network: Network, process: Process, { workspaceId, mailboxId }: Address, rules: Rules) {
  const outboundSend = network.connect(OutboundSendServiceDefinition, process);
  const mailboxWrite = network.connect(MailboxWriteServiceDefinition, process);
  const { replyRuleId, forwardRuleId, forwardTo } = rules;
  const callFor = ({ operationId }: Asked) => ({ workspaceId, operationId });
  const messageOf = ({ to, others, operationId: subject }: Asked) => {
    const recipients = [to, ...others].map((email) => ({ email }));
    return ComposeRequest.create({ mailboxId, to: recipients, subject, body: { text: 'Hello' } });
  };
  return {
    send: (one: Asked): Promise<unknown> => outboundSend.sendEmail(messageOf(one), callFor(one)),
    draft: async (one: Asked): Promise<void> => {
      one.draftId ??= (await outboundSend.createDraft(messageOf(one), callFor(one))).draftId;
      const { status } = await outboundSend.sendDraft({ draftId: one.draftId, agent: AGENT }, { workspaceId });
      if (status !== 'sent') throw new Error(`the draft is ${status}`);
    },
    reply: async (one: Asked, emailId: string): Promise<void> => {
      const said = { emailId, ruleId: replyRuleId, text: 'Thank you.', draftOnly: false };
      one.draftId = (
        await outboundSend.scheduleReply({ ...said, delayMinutes: one.isLater ? 1 : 0 }, callFor(one))
      ).draftId;
    },
    forward: (one: Asked, emailId: string): Promise<unknown> =>
      outboundSend.forwardEmail({ emailId, ruleId: forwardRuleId, forwardTo, mode: 'normal' }, callFor(one)),
    stop: async (one: Asked, emailId: string): Promise<void> => {
      const [draftId, effectId] = [one.draftId ?? '', sendIdOf(callFor(one))];
      one.stopped = await stopMessage(process, () =>
        one.kind === 'reply'
          ? outboundSend.stopReply({ actorId: PERSON, draftId }, { workspaceId })
          : outboundSend.undoForward({ actorId: PERSON, emailId, effectId }, { workspaceId }),
      );
    },
    trash: async (one: Asked, emailId: string): Promise<void> => {
      await process.context.clock.sleep(process.world.chance.below(LONGEST_UNTIL_TRASHED_MS));
      await untilDone(process, () => mailboxWrite.deleteEmail({ emailId }, { workspaceId }));
      one.trashedAt = process.world.now();
    },
  };
}

/** Asks again, under the same id of the operation. A rule does so whatever the answer is. */
async function untilAnswered({ context }: Process, one: Asked, ask: () => Promise<unknown>): Promise<void> {
  while (one.told === undefined) {
    try {
      await ask();
      one.told = 'taken';
    } catch (error) {
      // Of two calls at once, one does not know what the other does.
      if (isByPerson(one) && !one.isTwice && isSurelyNotSent(error)) one.told = 'not sent';
      else await context.clock.sleep(AGAIN_MS);
    }
  }
}

/** A reply goes to its sender. */
const mailAbout = ({ kind, operationId, to }: Asked): Mail => ({
  subject: operationId,
  messageId: `${operationId.replaceAll(' ', '.')}@far.example`,
  from: kind === 'reply' ? to : 'eve@far.example',
});

/** As the gateway tells a caller. */
function isSurelyNotSent(error: unknown): boolean {
  return error instanceof ApiError && isPeersAnswer(error) && error.code === 'INTERNAL_ERROR';
}
