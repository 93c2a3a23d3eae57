import { ApiError } from '@postroom/errors/api-error';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { toMessageEmail } from '@postroom/mail-store/email-message';
import { ComposeRequest } from '@postroom/proto/postroom/v1/outbound_send';
import type { Email } from '@postroom/proto/postroom/v1/resources';
import type { Call } from '@postroom/rpc/call';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Handlers } from '@postroom/rpc/definition';
import { compositionOf } from '../compose/build-composition.ts';
import type { MailReaderStore } from '../mail-reader/mail-reader-store.ts';
import { fingerprintOf, sendIdOf } from '../new-send/new-send.ts';
import { notKnown, refusedOrNotKnown, searchNow, sendNow, type SendNowDeps, underWay } from '../send-now/send-now.ts';

export interface SendCallDeps extends SendNowDeps {
  mailReader: MailReaderStore;
}

/** Sends at once: the caller learns that the message was sent, was not sent, or that this is not known yet. */
export function sendHandlers(deps: SendCallDeps) {
  const { sends, mailReader, context } = deps;

  const answer = async (send: SendDocument, call: Call): Promise<Email> => {
    const email = send.emailId === null ? null : await mailReader.shown(call.workspaceId, send.emailId, call);
    if (!email) throw new ApiError('CONFLICT', { message: 'The email was sent, and is not in the mailbox any more.' });
    return toMessageEmail(email);
  };

  /** Answers for the message of an earlier call, which may have been sent. */
  const earlier = async (known: SendDocument, call: Call): Promise<Email> => {
    if (known.state === 'recorded') return answer(known, call);
    await searchNow(known, deps);
    throw underWay();
  };

  return {
    async sendEmail(request, call) {
      const operation = sendIdOf(call);
      const fingerprint = fingerprintOf(ComposeRequest.encode(request).finish());
      const known = await sends.find(call.workspaceId, operation).catch(notKnown);
      if (known && known.fingerprint !== fingerprint)
        throw new ApiError('CONFLICT', { message: 'This operation was asked for with another message.' });
      if (known && known.state !== 'failed') return earlier(known, call).catch(refusedOrNotKnown);
      const what = { operation: call, known, from: ['failed'] } as const;
      const date = context.clock.date();
      const sent = await sendNow(
        what,
        async (budget) => {
          const { mailbox, composition } = await compositionOf(request, { operation, date }, mailReader, budget);
          return { composition, said: { kind: 'send', mailboxId: mailbox._id, fingerprint } };
        },
        call,
        deps,
      );
      return answer(sent, call).catch(notKnown);
    },
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}
