import { isAddress } from '@postroom/contract/address';
import { AUTO_FORWARD_MODES, isOneOf, type AutoForwardMode } from '@postroom/contract/lists';
import { refuse } from '@postroom/errors/refuse';
import { ForwardEmailRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Sender } from '../sending/sender.ts';
import type { SendStore } from '../stored-sends/send-store.ts';
import { automaticHeaders } from '../compose/automatic.ts';
import { bodyOf, type StoredBodyDeps } from '../bodies/body-of.ts';
import type { OutgoingBody } from '../compose/body.ts';
import type { Composition } from '../compose/composition.ts';
import { messageIdOf, requireActive } from '../compose/build-composition.ts';
import { forwardedBody } from './forwarded-body.ts';
import { senderOf } from '../compose/sender.ts';
import { subjectOfForward } from '../compose/subjects.ts';
import type { MailReaderStore, SendingMailbox, SourceEmail } from '../mail-reader/mail-reader-store.ts';
import { undoForwardHandlers } from './undo-forward.ts';
import { fingerprintOf, newSend, sendIdOf } from '../new-send/new-send.ts';

interface Forwarding {
  mailbox: SendingMailbox;
  source: SourceEmail;
  body: OutgoingBody;
  mode: AutoForwardMode;
  to: string;
  /** Whether a mailbox of the workspace is reached there. */
  isOwn: boolean;
}

/** Emails that a rule passes on, from the mailbox itself: with the original From no receiver would take them. */
export interface ForwardDeps extends StoredBodyDeps {
  context: Pick<ServiceContext, 'clock'>;
  sends: SendStore;
  mailReader: MailReaderStore;
  sender: Pick<Sender, 'wake'>;
}

export function forwardHandlers(deps: ForwardDeps) {
  const { sends, mailReader, sender, context } = deps;

  const gather = async (
    source: SourceEmail,
    { mode, forwardTo }: ForwardEmailRequest,
    call: Call,
  ): Promise<Forwarding> => {
    const { workspaceId } = call;
    if (!isOneOf(AUTO_FORWARD_MODES, mode)) refuse('mode', `must be one of ${AUTO_FORWARD_MODES.join(', ')}`);
    if (!isAddress(forwardTo)) refuse('forwardTo', 'must be one plain email address');
    const [{ mailbox, isOwn }, body] = await Promise.all([
      mailReader.mailboxAndReach(workspaceId, source.mailboxId, forwardTo, call),
      bodyOf(source, deps, call),
    ]);
    requireActive(mailbox);
    return { mailbox, source, body, mode, to: forwardTo, isOwn };
  };

  return {
    ...undoForwardHandlers(deps),

    async forwardEmail(request, call) {
      const queued = { status: 'queued' };
      const { workspaceId } = call;
      const found = await mailReader.source(workspaceId, request.emailId, call);
      const before = await sends.knownOrForwarded(workspaceId, sendIdOf(call), found?.messageId ?? '');
      if (before.isKnown) return queued;
      if (found?.folderType !== 'INBOX') return { status: 'left' };
      const forwarding = await gather(found, request, call);
      const { mailbox, source, isOwn } = forwarding;
      // From one mailbox to another of the workspace a rule could only go round in circles.
      if (isOwn) return { status: 'skipped', reason: 'the address is a mailbox of the workspace itself' };
      // Its marks may be lost on the way; a server that passes a message on as it is leaves it its id.
      if (before.wasForwarded) return { status: 'skipped', reason: 'it was forwarded from here, and came back' };
      const now = context.clock.date();
      const composition = composed(forwarding, sendIdOf(call), now);
      const send = await newSend(call, composition, {
        kind: 'forward',
        mailboxId: mailbox._id,
        sourceEmailId: source._id,
        ruleId: request.ruleId,
        ...(request.ruleUpdatedAt !== undefined && { ruleUpdatedAt: new Date(request.ruleUpdatedAt) }),
        ...(request.reason !== undefined && { reason: request.reason }),
        mode: forwarding.mode,
        ...(source.hasAttachments && { attaches: true }),
        fingerprint: fingerprintOf(ForwardEmailRequest.encode(request).finish()),
        scheduledSendAt: now,
        nextAt: now,
      });
      await sends.insert(workspaceId, send);
      sender.wake();
      return queued;
    },
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}

function composed({ mailbox, source, body, mode, to }: Forwarding, operation: string, date: Date): Composition {
  const from = senderOf(mailbox, undefined);
  const isQuoted = mode === 'normal';
  return {
    messageId: messageIdOf(operation, from.email),
    date,
    from,
    to: [{ email: to, name: null }],
    cc: [],
    bcc: [],
    // An answer to an email that was forwarded unchanged goes to its author.
    ...(!isQuoted && isAddress(source.from.email) && { replyTo: source.from }),
    subject: isQuoted ? subjectOfForward(source.subject) : source.subject,
    inReplyTo: null,
    references: isQuoted ? [...source.references, source.messageId].slice(-100) : [],
    ...(isQuoted
      ? forwardedBody(source, body)
      : { html: body.html, text: body.html === null ? (body.text ?? '') : body.text }),
    headers: automaticHeaders('auto-generated', mailbox._id),
  };
}
