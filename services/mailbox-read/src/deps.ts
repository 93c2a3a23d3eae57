import type { MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { Handlers } from '@postroom/rpc/definition';
import type { WaitingWorkDeps } from './waiting-work/waiting-work.ts';
import type { DecisionDeps } from './decisions/decisions.ts';
import type { ExplainingDeps } from './explaining/explaining.ts';
import type { BodyDeps } from './emails/read-email.ts';
import type { ListingDeps } from './listing/listing.ts';
import type { OriginalDeps } from './originals/originals.ts';

export type Rpcs = Handlers<MailboxReadServiceDefinition>;

/** The dependencies of the handlers of this service. */
export type Deps = BodyDeps & WaitingWorkDeps & DecisionDeps & ExplainingDeps & ListingDeps & OriginalDeps;
