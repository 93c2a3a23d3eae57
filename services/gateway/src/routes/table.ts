import type { Feature } from '@postroom/contract/lists';
import { aiLabelRuleRoutes } from './ai-label-rules.ts';
import { autoForwardRuleRoutes } from './auto-forward-rules.ts';
import { bulkRoutes } from './bulk.ts';
import { changeRoutes } from './changes.ts';
import { deliveryRoutes } from './deliveries.ts';
import { draftRoutes } from './drafts.ts';
import { emailLabelRoutes } from './email-labels.ts';
import { emailRoutes } from './emails.ts';
import { filterRoutes } from './filters.ts';
import { labelRoutes } from './labels.ts';
import { mailboxRoutes } from './mailboxes.ts';
import { signatureRoutes } from './signatures.ts';
import type { Route } from './route.ts';
import { threadRoutes } from './threads.ts';
import { viewRoutes } from './views.ts';
import { webhookRoutes } from './webhooks.ts';

export type { Later, LaterMeans, Route, RouteContext } from './route.ts';
export type { Services } from './services.ts';
export { mcpRoutes } from './mcp.ts';

/** Every endpoint that needs a key, open or not, the busiest first: Express looks for a route from the top. */
export const routes: readonly Route[] = [
  ...emailRoutes,
  ...bulkRoutes,
  ...emailLabelRoutes,
  ...labelRoutes,
  ...draftRoutes,
  ...mailboxRoutes,
  ...signatureRoutes,
  ...viewRoutes,
  ...filterRoutes,
  ...aiLabelRuleRoutes,
  ...autoForwardRuleRoutes,
  ...threadRoutes,
  ...changeRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
];

/** The endpoints of a gateway with these features. To a caller every other one is a path that no route has. */
export function openRoutes(features: readonly Feature[]): Route[] {
  return routes.filter(({ feature }) => feature === undefined || features.includes(feature));
}
