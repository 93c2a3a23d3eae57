import type { Relay } from '@postroom/events/outbox/relay';
import type { ServiceContext } from '@postroom/runtime/service';
import type { BulkStore } from './bulk-store.ts';
import type { EffectStore } from './effect-store.ts';
import type { LabeledEmailStore } from './labeled-email-store.ts';
import type { ClassificationStore } from './classification-store.ts';
import type { LookupStore } from './lookup-store.ts';
import type { ChangeStore } from './change-store.ts';
import type { EmailChanges } from './email-change.ts';
import type { LabelChanges } from './label-changes.ts';

/** The dependencies of every handler of a change. */
export interface ChangeDeps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  bulk: BulkStore;
  labeledEmails: LabeledEmailStore;
  effects: EffectStore;
  classifications: ClassificationStore;
  lookups: LookupStore;
  relay: Pick<Relay, 'publishSoon'>;
  emails: ChangeStore;
  changes: EmailChanges & LabelChanges;
}
