import type { Feature, FOLDER_TYPES, MAILBOX_STATUSES } from '@postroom/contract/lists';
import type { Role } from '@postroom/contract/roles';
import type { LimitsAnswer } from './limits.ts';
import type { DateTime, OneOf } from './types.ts';

export type {
  AgentSendingAnswer,
  ApprovalAnswer,
  GrantAnswer,
  GrantListAnswer,
  WholeApprovalAnswer,
} from './agents.ts';
export type {
  LabelRefAnswer,
  LabelAnswer,
  ViewAnswer,
  AiLabelRuleAnswer,
  DecisionAnswer,
  PeriodUndoAnswer,
  BackfillAnswer,
  AutoForwardRuleAnswer,
  AutoForwardLogAnswer,
  CompiledConditionAnswer,
  ConditionPatternAnswer,
  InboxFilterAnswer,
  WebhookAnswer,
  DeliveryAnswer,
} from './automation.ts';
export type { DraftAnswer, DraftRowAnswer } from './drafts.ts';
export type { HomeAnswer } from './home.ts';
export type { LimitsAnswer } from './limits.ts';
export type {
  EmailBeforeAnswer,
  ExpectedVerdictAnswer,
  ModelSpendAnswer,
  RuleTestAnswer,
  RuleTestEmailAnswer,
  RuleTestEstimateAnswer,
  TestedEmailAnswer,
  TestVerdictAnswer,
} from './rule-tests.ts';
export type {
  EffectAnswer,
  MailChangeAnswer,
  MailChangesAnswer,
  MailItemAnswer,
  OpenedEmailAnswer,
  PersonInMail,
  ReadingAnswer,
  ThreadEmailAnswer,
  UndoAnswer,
  WhyAnswer,
} from './mail.ts';

/** The answers of /app/api. The pages import these types, so nothing here exists at run time. */
export interface ListOf<T> {
  items: T[];
}

export interface PageOf<T> extends ListOf<T> {
  nextCursor: string | null;
  hasMore: boolean;
}

export interface PersonAnswer {
  id: string;
  email: string;
  name: string;
  hasPassword: boolean;
  createdAt: DateTime;
  memberships: { workspaceId: string; workspaceName: string; role: Role }[];
}

export interface SessionAnswer {
  id: string;
  createdAt: DateTime;
  lastSeenAt: DateTime;
  expiresAt: DateTime;
  address: string;
  userAgent: string;
  isCurrent: boolean;
}

export interface SignedInAnswer {
  person: PersonAnswer;
  session: SessionAnswer;
}

export interface PresentAnswer {
  /** Null for a visitor who is not signed in. */
  person: PersonAnswer | null;
  session: SessionAnswer | null;
  features: readonly Feature[];
  /** The base address of the REST API; null where the app does not know it. */
  apiUrl: string | null;
  /** The name of the OpenID Connect provider; null without one, and for a person who is signed in. */
  oidcName: string | null;
}

export interface OidcSignInAnswer {
  /** The address at the provider that the browser opens. */
  url: string;
  /** Kept by the browser until the provider has sent it back. */
  token: string;
}

export interface LinkAnswer {
  kind: 'invitation' | 'sign_in';
  email: string;
  expiresAt: DateTime;
  /** Of an invitation; null for a link that signs in. */
  workspaceName: string | null;
  role: Role | null;
}

export interface PasskeyAnswer {
  id: string;
  name: string;
  createdAt: DateTime;
  lastUsedAt: DateTime | null;
}

export interface ProviderAnswer {
  id: string;
  name: string;
  imap: string;
  smtp: string;
  /** A sentence about what to have ready, such as an app password. */
  note: string;
  /** Null for a provider that asks for a password. */
  consent: ConsentOffer | null;
}

/** The consent at a company, and whether an operator has configured it. */
export interface ConsentOffer {
  name: string;
  isConfigured: boolean;
}

export interface ConsentBegunAnswer {
  /** The address at the provider that the browser opens. */
  url: string;
}

/** A consent that was given, before the logins are tried. */
export interface ConsentAnswer {
  id: string;
  email: string;
  /** The mailbox to connect again; null for a new one. */
  mailboxId: string | null;
}

export interface MailboxAnswer {
  id: string;
  email: string;
  name: string | null;
  provider: string;
  status: OneOf<typeof MAILBOX_STATUSES>;
  aliases: { email: string; name: string | null; verified: boolean }[];
  folders: { id: string; name: string; type: OneOf<typeof FOLDER_TYPES> | null }[];
  lastSyncedAt: DateTime | null;
  createdAt: DateTime;
}

export interface SyncAnswer {
  lastSyncedAt: DateTime | null;
  failCount: number;
  lastError: string | null;
  /** Whether a process is connected to the provider now. */
  isConnected: boolean;
  folders: { name: string; type: string | null; done: number; total: number; isComplete: boolean }[];
}

interface MailServerAnswer {
  imap: string;
  smtp: string;
  user: string;
  /** The id of the provider whose consent connects the mailbox again; null where only a password does. */
  consentProvider: string | null;
}

export interface MailboxDetailAnswer {
  mailbox: MailboxAnswer;
  /** Null for a mailbox of the development mail server. */
  sync: SyncAnswer | null;
  /** Null for members, and for a mailbox of the development mail server. */
  server: MailServerAnswer | null;
}

export type ConnectStep = 'dns' | 'tcp' | 'tls' | 'login';

/** One line of the stream that answers a connection. */
export type ConnectEvent =
  | {
      type: 'step';
      server: 'imap' | 'smtp';
      step: ConnectStep;
      state: 'running' | 'ok' | 'failed';
      message?: string;
    }
  | { type: 'connected'; mailbox: MailboxAnswer }
  | { type: 'refused'; code: string; error: string };

export interface KeyAnswer {
  id: string;
  name: string;
  scopes: ('read' | 'write')[];
  allowOutboundSend: boolean;
  status: 'active' | 'expired' | 'revoked';
  expiresAt: DateTime | null;
  revokedAt: DateTime | null;
  createdAt: DateTime;
  lastUsedAt: DateTime | null;
  lastAddress: string | null;
  calls24h: number;
}

export interface KeyListAnswer extends ListOf<KeyAnswer> {
  activeCount: number;
  /** The number of active keys that the plan allows. */
  cap: number;
}

interface ModelUseAnswer {
  day: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** At the prices that the operator configured, in their currency. */
  cost: number;
}

export interface UsageAnswer {
  from: string;
  to: string;
  limits: LimitsAnswer;
  /** Days without calls are absent. The name is null for members, and for a key that is gone. */
  byKey: { day: string; keyId: string; keyName: string | null; calls: number }[];
  byEndpoint: { day: string; endpoint: string; calls: number }[];
  model: ModelUseAnswer[];
  /** A call asks about all rules of an email, so each has an equal share of its tokens and cost. */
  modelByRule: (ModelUseAnswer & { ruleId: string })[];
}

export interface ActivityAnswer {
  id: string;
  at: DateTime;
  actor: { kind: 'person' | 'key' | 'operator' | 'rule' | 'client'; id: string; name: string; address: string };
  /** Such as key.created. */
  action: string;
  targetKind: string;
  targetId: string;
  targetName: string;
  outcome: 'done' | 'failed' | 'unknown';
}

export interface MemberAnswer {
  personId: string;
  email: string;
  name: string;
  role: Role;
  joinedAt: DateTime;
}

export interface InvitationAnswer {
  id: string;
  email: string;
  role: Role;
  createdAt: DateTime;
  expiresAt: DateTime;
}
