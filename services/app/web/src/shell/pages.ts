import { lazy, type ComponentType } from 'react';
import type { Feature } from '@postroom/contract/lists';
import { isAtLeast, type Role } from '@postroom/contract/roles';
import type { IconName } from '../parts/icon.tsx';

interface Routed {
  /** As wouter matches it, below /app. */
  path: string;
  component: ComponentType;
}

/** A page that the navigation names. */
interface NamedPage extends Routed {
  name: string;
  icon: IconName;
  /** The second key after `g`. */
  key: string;
  /** The least role that sees it. */
  role?: Role;
  feature?: Feature;
}

const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

const namedPages: readonly NamedPage[] = [
  {
    path: '/',
    name: 'Home',
    icon: 'home',
    key: 'h',
    component: page(async () => (await import('../home/home-page.tsx')).HomePage),
  },
  {
    path: '/mail',
    name: 'Mail',
    icon: 'inbox',
    key: 'i',
    component: page(async () => (await import('../mail/mail-page.tsx')).MailPage),
  },
  {
    path: '/drafts',
    name: 'Drafts',
    icon: 'drafts',
    key: 'd',
    component: page(async () => (await import('../drafts/drafts-page.tsx')).DraftsPage),
  },
  {
    path: '/mailboxes',
    name: 'Mailboxes',
    icon: 'mailbox',
    key: 'm',
    component: page(async () => (await import('../mailboxes/mailboxes-page.tsx')).MailboxesPage),
  },
  {
    path: '/views',
    name: 'Views',
    icon: 'views',
    key: 'v',
    component: page(async () => (await import('../views/views-page.tsx')).ViewsPage),
  },
  {
    path: '/rules',
    name: 'Rules',
    icon: 'rules',
    key: 'r',
    component: page(async () => (await import('../rules/rules-page.tsx')).RulesPage),
  },
  {
    path: '/keys',
    name: 'Keys',
    icon: 'key',
    key: 'k',
    role: 'admin',
    component: page(async () => (await import('../keys/keys-page.tsx')).KeysPage),
  },
  {
    path: '/webhooks',
    name: 'Webhooks',
    icon: 'webhook',
    key: 'w',
    role: 'admin',
    feature: 'webhooks',
    component: page(async () => (await import('../webhooks/webhooks-page.tsx')).WebhooksPage),
  },
  {
    path: '/usage',
    name: 'Usage',
    icon: 'usage',
    key: 'u',
    component: page(async () => (await import('../usage/usage-page.tsx')).UsagePage),
  },
  {
    path: '/activity',
    name: 'Activity',
    icon: 'activity',
    key: 'a',
    role: 'admin',
    component: page(async () => (await import('../activity/activity-page.tsx')).ActivityPage),
  },
  {
    path: '/people',
    name: 'People',
    icon: 'people',
    key: 'p',
    component: page(async () => (await import('../people/people-page.tsx')).PeoplePage),
  },
];

const consent = page(async () => (await import('../mailboxes/consent-page.tsx')).ConsentPage);
const email = page(async () => (await import('../mail/email-page.tsx')).OpenedEmailPage);
const view = page(async () => (await import('../views/view-page.tsx')).ViewPage);
const rule = page(async () => (await import('../rules/rule-page.tsx')).RulePage);
const draft = page(async () => (await import('../drafts/edit-draft-page.tsx')).EditDraftPage);
const approval = page(async () => (await import('../drafts/approval-page.tsx')).ApprovalPage);
const webhook = page(async () => (await import('../webhooks/webhook-page.tsx')).WebhookPage);
const forwardLog = page(async () => (await import('../rules/forward-log-page.tsx')).ForwardLogPage);

/** Pages that rows and buttons lead to. */
const innerPages: readonly Routed[] = [
  { path: '/mail/:emailId', component: email },
  { path: '/drafts/edit/:draftId', component: draft },
  { path: '/drafts/:approvalId', component: approval },
  { path: '/mailboxes/consent/:provider', component: consent },
  { path: '/views/:viewId', component: view },
  { path: '/rules/forwards/:ruleId', component: forwardLog },
  { path: '/rules/:ruleId', component: rule },
  { path: '/webhooks/:webhookId', component: webhook },
];

export const pages: readonly Routed[] = [...namedPages, ...innerPages];

/** Nobody is shown a way to a page that would refuse them. */
export function pagesFor(role: Role, features: readonly Feature[]): NamedPage[] {
  return namedPages.filter(
    (page) => isAtLeast(role, page.role ?? 'member') && (!page.feature || features.includes(page.feature)),
  );
}
