import type { Feature } from '@postroom/contract/lists';
import { accountAppRoutes } from './account.ts';
import { activityAppRoutes } from './activity.ts';
import { agentAppRoutes } from './agents.ts';
import { aiLabelRuleAppRoutes } from './ai-label-rules.ts';
import { approvalAppRoutes } from './approvals.ts';
import { attachmentAppRoutes } from './attachments.ts';
import { autoForwardRuleAppRoutes } from './auto-forward-rules.ts';
import { changeAppRoutes } from './changes.ts';
import { compiledConditionAppRoutes } from './compiled-conditions.ts';
import { draftAppRoutes } from './drafts.ts';
import { frameAppRoutes } from './frames.ts';
import { homeAppRoutes } from './home.ts';
import { inboxFilterAppRoutes } from './inbox-filters.ts';
import { keyAppRoutes } from './keys.ts';
import { mailboxConsentAppRoutes } from './mailbox-consents.ts';
import { mailAppRoutes } from './mail.ts';
import { mailboxAppRoutes } from './mailboxes.ts';
import { memberAppRoutes } from './members.ts';
import { oidcAppRoutes } from './oidc.ts';
import { passkeyAppRoutes } from './passkeys.ts';
import { providerAppRoutes } from './providers.ts';
import type { AppRoute } from './route.ts';
import { ruleTestAppRoutes } from './rule-tests.ts';
import { sessionAppRoutes } from './session.ts';
import { effectAppRoutes } from './effects.ts';
import { triageAppRoutes } from './triage.ts';
import { usageAppRoutes } from './usage.ts';
import { viewAppRoutes } from './views.ts';
import { webhookAppRoutes } from './webhooks.ts';

export type {
  PersonalVisit,
  AppRoute,
  FileAnswer,
  FrameAnswer,
  TextAnswer,
  PageVisit,
  WorkspaceVisit,
} from './route.ts';
export type { AppServices } from './services.ts';

/** Every call of /app/api, open or not. */
export const appRoutes: readonly AppRoute[] = [
  ...sessionAppRoutes,
  ...accountAppRoutes,
  ...passkeyAppRoutes,
  ...oidcAppRoutes,
  ...providerAppRoutes,
  ...homeAppRoutes,
  ...usageAppRoutes,
  ...activityAppRoutes,
  ...mailAppRoutes,
  ...frameAppRoutes,
  ...attachmentAppRoutes,
  ...changeAppRoutes,
  ...triageAppRoutes,
  ...effectAppRoutes,
  ...mailboxAppRoutes,
  ...mailboxConsentAppRoutes,
  ...keyAppRoutes,
  ...viewAppRoutes,
  ...aiLabelRuleAppRoutes,
  ...compiledConditionAppRoutes,
  ...ruleTestAppRoutes,
  ...autoForwardRuleAppRoutes,
  ...inboxFilterAppRoutes,
  ...webhookAppRoutes,
  ...memberAppRoutes,
  ...approvalAppRoutes,
  ...draftAppRoutes,
  ...agentAppRoutes,
];

export function openAppRoutes(features: readonly Feature[]): AppRoute[] {
  return appRoutes.filter(({ feature }) => feature === undefined || features.includes(feature));
}
