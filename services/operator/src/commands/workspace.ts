import { PLANS } from '@postroom/contract/plans';
import type { Workspace } from '@postroom/proto/postroom/v1/workspace';
import { defineCommand, type Command } from '../command/command.ts';
import { moment, oneOf, textOption } from '../command/option.ts';

const workspaceId = textOption('--workspace <id>', 'the workspace');
const plan = oneOf('--plan <plan>', 'free, premium or expert', PLANS);

const create = defineCommand({
  path: ['workspace', 'create'],
  summary: 'Makes a workspace',
  options: { name: textOption('--name <name>', 'what people call it'), plan },
  run: async ({ name, plan: bought }, deps) => {
    const { id } = await deps.workspaces().createWorkspace({ name, plan: bought }, {});
    return { json: { id }, lines: [`Workspace ${id} is there.`] };
  },
});

const list = defineCommand({
  path: ['workspace', 'list'],
  summary: 'Shows every workspace',
  options: {},
  run: async (_values, deps) => {
    const { items } = await deps.workspaces().listWorkspaces({}, {});
    return {
      json: { items: items.map(toJson) },
      table: {
        head: ['id', 'name', 'plan', 'until', 'in force', 'state', 'created'],
        rows: items.map((item) => [
          item.id,
          item.name,
          item.plan,
          item.planUntil ?? '-',
          item.planInForce,
          item.isSuspended ? 'suspended' : 'active',
          item.createdAt,
        ]),
      },
    };
  },
});

const suspend = defineCommand({
  path: ['workspace', 'suspend'],
  summary: 'Refuses every call of a workspace until it is resumed',
  options: { workspaceId },
  run: async (values, deps) => changed(await deps.workspaces().suspendWorkspace(values, {}), 'is suspended'),
});

const resume = defineCommand({
  path: ['workspace', 'resume'],
  summary: 'Ends a suspension',
  options: { workspaceId },
  run: async (values, deps) => changed(await deps.workspaces().resumeWorkspace(values, {}), 'is active again'),
});

const changePlan = defineCommand({
  path: ['workspace', 'plan'],
  summary: 'Changes the plan; past its end the Free plan is in force',
  options: { workspaceId, plan, until: moment('--until <moment>', 'when the subscription ends') },
  run: async (values, deps) => {
    const workspace = await deps.workspaces().changePlan(values, {});
    return changed(workspace, `has the ${workspace.planInForce} plan in force`);
  },
});

export const workspaceCommands: readonly Command[] = [create, list, suspend, resume, changePlan];

function changed(workspace: Workspace, what: string) {
  return { json: toJson(workspace), lines: [`Workspace ${workspace.id} ${what}.`] };
}

function toJson(workspace: Workspace) {
  return { ...workspace, planUntil: workspace.planUntil ?? null };
}
