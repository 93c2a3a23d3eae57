import { deterministicIdOf } from '@postroom/mail-store/create-once';
import { StoreOutgoingRequest } from '@postroom/proto/postroom/v1/mailbox_write';
import type { MailboxWriteServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_write';
import type { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import type { Client, Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { MailReaderStore } from '../mail-reader/mail-reader-store.ts';
import { compose } from '../compose/compose.ts';
import { compositionOf } from '../compose/build-composition.ts';
import { inFairOrder } from '../compose/fair-order.ts';

export interface DraftDeps {
  context: Pick<ServiceContext, 'clock'>;
  mailReader: MailReaderStore;
  mailboxWrite: Pick<Client<MailboxWriteServiceDefinition>, 'storeOutgoing'>;
}

export function draftHandlers({ mailReader, mailboxWrite, context: { clock } }: DraftDeps) {
  return {
    async createDraft(request, call) {
      const about = { operation: deterministicIdOf('drf', call), date: clock.date() };
      const { mailbox, composition, signature } = await compositionOf(request, about, mailReader, call);
      const { kept } = await inFairOrder(call.workspaceId, () => compose(composition));
      const draft = StoreOutgoingRequest.create({
        mailboxId: mailbox._id,
        folderType: 'DRAFTS',
        raw: kept,
        source: 'api',
        ...(signature && { signature: signature._id }),
      });
      return { draftId: (await mailboxWrite.storeOutgoing(draft, call)).id };
    },
  } satisfies Partial<Handlers<OutboundSendServiceDefinition>>;
}
