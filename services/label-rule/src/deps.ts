import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { Relay } from '@postroom/events/outbox/relay';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { AiRuleStore } from './ai-rule-store.ts';
import type { AutoForwardLogStore } from './auto-forward-log-store.ts';
import type { AutoForwardStore } from './auto-forward-store.ts';
import type { BackfillStore } from './backfill-store.ts';
import type { Forgetting } from './forgetting.ts';
import type { LabelStore } from './label-store.ts';

export type Rpcs = Handlers<LabelRuleServiceDefinition>;

/** The dependencies of the handlers of this service. */
export interface Deps {
  context: Pick<ServiceContext, 'clock' | 'ids'>;
  labels: LabelStore;
  aiRules: AiRuleStore;
  autoForwards: AutoForwardStore;
  autoForwardLogs: AutoForwardLogStore;
  backfills: BackfillStore;
  relay: Pick<Relay, 'publishSoon'>;
  forgetting: Pick<Forgetting, 'begin'>;
}
