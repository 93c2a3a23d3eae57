import type { ApprovalDeps } from './approvals/approvals.ts';
import type { PersonDraftDeps } from './draft-sends/draft-sends.ts';
import type { DraftDeps } from './drafts/drafts.ts';
import type { ForwardDeps } from './forwards/forwards.ts';
import type { ReplyDeps } from './replies/replies.ts';
import type { SendCallDeps } from './sends/sends.ts';
import type { TrySmtpLoginDeps } from './servers/try-login.ts';
import type { OperatorSendDeps } from './resolution/send-resolution.ts';

/** The dependencies of the handlers of this service. */
export type Deps = DraftDeps &
  PersonDraftDeps &
  ApprovalDeps &
  ForwardDeps &
  ReplyDeps &
  SendCallDeps &
  OperatorSendDeps &
  TrySmtpLoginDeps;
