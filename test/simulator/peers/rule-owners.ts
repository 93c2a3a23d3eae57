import { ApiError } from '@postroom/errors/api-error';
import { isPeersAnswer } from '@postroom/errors/grpc-status';
import {
  LabelRuleServiceDefinition,
  UpdateAiLabelRuleRequest,
  UpdateAutoForwardRuleRequest,
} from '@postroom/proto/postroom/v1/label_rule';
import { OTHER_CONDITION, type RuleChange } from '../arriving/rule-changes.ts';
import { FORWARD_TO, forwardRuleIdOf, replyRuleIdOf } from '../arriving/setting.ts';
import { createProcess, within } from '../world/process.ts';
import type { Network } from '../world/rpc.ts';
import type { World } from '../world/world.ts';

const AGAIN_MS = 1_000;

/** The owners of rules change them over the API while emails arrive. */
export function openRuleOwners(world: World, network: Network, changes: readonly RuleChange[]): void {
  const process = createProcess(world, 'owners of rules');
  const { clock } = process.context;
  const labelRule = network.connect(LabelRuleServiceDefinition, process);
  const untilAnswered = async (change: RuleChange, ask: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      try {
        await ask();
        return;
      } catch (error) {
        change.isRepeated = true;
        if (error instanceof ApiError && isPeersAnswer(error) && error.code === 'RULE_NOT_FOUND') return;
        await clock.sleep(AGAIN_MS);
      }
    }
  };
  const ofLabel = ({ workspaceId, name, fate }: RuleChange): Promise<unknown> => {
    const [ruleId, may] = [replyRuleIdOf(workspaceId, name), { maySend: true, planIsPaid: true }];
    if (fate === 'is deleted') return labelRule.deleteAiLabelRule({ ruleId, maySend: true }, { workspaceId });
    const change = fate === 'prepares no replies' ? { autoDraftEnabled: false } : { condition: OTHER_CONDITION };
    return labelRule.updateAiLabelRule(UpdateAiLabelRuleRequest.create({ ruleId, ...may, ...change }), { workspaceId });
  };
  const make = async (change: RuleChange): Promise<void> => {
    const { workspaceId, name } = change;
    const condition = { conditionField: 'subject_contains', conditionValue: name };
    const request = { ...condition, forwardTo: FORWARD_TO, mode: 'normal', isActive: true };
    const call = { workspaceId, operationId: `a rule of ${workspaceId}` };
    change.ruleId = (await labelRule.createAutoForwardRule(request, call)).id;
  };
  const ofForward = ({ workspaceId, name, fate }: RuleChange, isActive = false): Promise<unknown> => {
    const ruleId = forwardRuleIdOf(workspaceId, name);
    if (fate === 'is deleted') return labelRule.deleteAutoForwardRule({ ruleId }, { workspaceId });
    const change =
      fate === 'has another condition'
        ? { conditionField: 'subject_contains', conditionValue: OTHER_CONDITION }
        : { isActive };
    return labelRule.updateAutoForwardRule(UpdateAutoForwardRuleRequest.create({ ruleId, ...change }), { workspaceId });
  };
  const play = async (change: RuleChange): Promise<void> => {
    await clock.sleep(change.afterMs);
    change.begunAt = world.now();
    world.trace.say(process.name, `the rule ${change.kind} ${change.name} of ${change.workspaceId} ${change.fate}`);
    if (change.fate === 'is made') await untilAnswered(change, () => make(change));
    else if (change.kind === 'label') await untilAnswered(change, () => ofLabel(change));
    else await untilAnswered(change, () => ofForward(change));
    if (change.fate === 'is switched off and on') {
      await clock.sleep(change.pauseMs);
      await untilAnswered(change, () => ofForward(change, true));
    }
    change.doneAt = world.now();
  };
  within(process, () => changes.forEach((change) => void play(change)));
}
