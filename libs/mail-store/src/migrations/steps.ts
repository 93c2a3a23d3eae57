import { firstSchema } from './0030-first-schema.ts';
import { forwardSlots } from './0031-forward-slots.ts';
import { ruleVersionOfReplies } from './0032-rule-version-of-replies.ts';
import { classificationsExpire } from './0033-classifications-expire.ts';
import { classificationsByTime } from './0034-classifications-by-time.ts';
import { threadsInOrder } from './0035-threads-in-order.ts';
import { backfillsByLease } from './0036-backfills-by-lease.ts';
import { changesFeed } from './0037-changes-feed.ts';
import { attemptsOutliveProcesses } from './0038-attempts.ts';
import { people } from './0039-people.ts';
import { webhooks } from './0040-webhooks.ts';
import { attemptLeases } from './0041-attempt-leases.ts';
import { agentSends } from './0042-agent-sends.ts';
import { usage } from './0043-usage.ts';
import { senderAuthentication } from './0044-sender-authentication.ts';
import { audit } from './0045-audit.ts';
import { passkeysOfPeople } from './0046-passkeys.ts';
import { decisionsByRule } from './0047-decisions-by-rule.ts';
import { oauthGrants } from './0048-oauth-grants.ts';
import { oidcSignIn } from './0049-oidc-sign-in.ts';
import { firstProof } from './0050-first-proof.ts';
import { mailboxConsents } from './0051-mailbox-consents.ts';
import { waysInByProof } from './0052-ways-in-by-proof.ts';
import { deadLetters } from './0053-dead-letters.ts';
import { writtenTo } from './0054-written-to.ts';
import { effectsOfRules } from './0055-effects-of-rules.ts';
import { expectedVerdicts } from './0056-expected-verdicts.ts';
import { compiledConditions } from './0057-compiled-conditions.ts';
import { oldEffects } from './0058-old-effects.ts';
import { draftReplacements } from './0059-draft-replacements.ts';
import { claimsOfSchedules } from './0060-claims-of-schedules.ts';
import { noIndexOfOldEvents } from './0061-no-index-of-old-events.ts';
import { dueSends } from './0062-due-sends.ts';
import { keptReplies } from './0063-kept-replies.ts';
import { bodyVersions } from './0064-body-versions.ts';
import type { MigrationStep } from './step.ts';

/** The version that the first step brings a database to. Earlier versions were never released, and are refused. */
export const FIRST_VERSION = 30;

/** In order: the last one brings a database to the version of this build. A step is never removed. */
export const steps: readonly MigrationStep[] = [
  firstSchema,
  forwardSlots,
  ruleVersionOfReplies,
  classificationsExpire,
  classificationsByTime,
  threadsInOrder,
  backfillsByLease,
  changesFeed,
  attemptsOutliveProcesses,
  people,
  webhooks,
  attemptLeases,
  agentSends,
  usage,
  senderAuthentication,
  audit,
  passkeysOfPeople,
  decisionsByRule,
  oauthGrants,
  oidcSignIn,
  firstProof,
  mailboxConsents,
  waysInByProof,
  deadLetters,
  writtenTo,
  effectsOfRules,
  expectedVerdicts,
  compiledConditions,
  oldEffects,
  draftReplacements,
  claimsOfSchedules,
  noIndexOfOldEvents,
  dueSends,
  keptReplies,
  bodyVersions,
];
