import { isAddress } from '@postroom/contract/address';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import { StoreOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import { ComposeRequest, ScheduleReplyRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Call } from '@postroom/rpc/call';
import { automaticHeaders } from './compose/automatic.ts';
import { compose } from './compose/compose.ts';
import { compositionOf } from './compose/composition-of.ts';
import { subjectOfReply } from './compose/subjects.ts';
import type { Deps, Rpcs } from './deps.ts';
import { fingerprintOf, newSend, sendIdOf } from './new-send.ts';

const MINUTE_MS = 60_000;

/** Replies that a rule prepares: a draft, which goes out by itself when its time has come unless somebody stops it. */
export function replyHandlers(deps: Deps) {
  const { sends, directory, mailboxWrite, sender, context } = deps;
  const { clock } = context;

  const composed = async (request: ScheduleReplyRequest, call: Call) => {
    const source = await directory.source(call.workspaceId, request.emailId, call);
    if (!source) throw new ApiError('EMAIL_NOT_FOUND');
    if (!isAddress(source.from.email)) refuse('emailId', 'is an email without an address to answer');
    const asked = ComposeRequest.create({
      mailboxId: source.mailboxId,
      to: [{ email: source.from.email, ...(source.from.name !== null && { name: source.from.name }) }],
      subject: subjectOfReply(source.subject),
      body: { text: request.text },
      inReplyTo: source.messageId,
    });
    const about = { operation: sendIdOf(call), date: clock.date() };
    const { composition, mailbox, signature } = await compositionOf(asked, about, directory, call);
    // What a person will review and send is that person's; only what goes out by itself says so.
    const headers = request.draftOnly ? undefined : automaticHeaders('auto-replied', mailbox._id);
    return { composition: { ...composition, headers }, mailbox, signature };
  };

  return {
    async scheduleReply(request, call) {
      const { emailId, ruleId, draftOnly, delayMinutes } = request;
      const { composition, mailbox, signature } = await composed(request, call);
      const sendAt = new Date(clock.now() + delayMinutes * MINUTE_MS);
      const { kept } = await compose(composition);
      const draft = StoreOutgoingRequest.create({
        mailboxId: mailbox._id,
        folderType: 'DRAFTS',
        raw: kept,
        source: 'auto_draft',
        ruleId,
        ...(signature && { signature: signature._id }),
        ...(!draftOnly && { scheduledSendAt: sendAt.toISOString(), scheduledStatus: 'pending' }),
      });
      const stored = await mailboxWrite.storeOutgoing(draft, call);
      if (draftOnly || stored.scheduledSendAt === undefined) return { draftId: stored.id };
      // The draft of an earlier attempt has said when already.
      const scheduledSendAt = new Date(stored.scheduledSendAt);
      const fingerprint = fingerprintOf(ScheduleReplyRequest.encode(request).finish());
      const about = { mailboxId: mailbox._id, draftId: stored.id, sourceEmailId: emailId, ruleId, fingerprint };
      const said = { kind: 'reply', scheduledSendAt, nextAt: scheduledSendAt, ...about } as const;
      await sends.insert(call.workspaceId, await newSend(call, composition, said));
      if (delayMinutes === 0) sender.wake();
      return { draftId: stored.id };
    },
  } satisfies Partial<Rpcs>;
}
