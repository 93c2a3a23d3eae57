import { ApiError } from '@postroom/errors/api-error';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { LabelDocument } from '@postroom/mail-store/documents/label';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { insertWithin } from '@postroom/mail-store/insert-within';
import type { Label } from '@postroom/proto/postroom/v1/resources';
import type { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { AutoForwardStore } from '../auto-forward/auto-forward.ts';
import type { LabelCleanup } from '../label-cleanup/label-cleanup.ts';
import { namesThatChange, requireMaySendFor } from '../forwarded-names/forwarded-names.ts';
import { named, NAME_INDEX } from '../label-name/label-name.ts';
import type { LabelChange, LabelStore } from './label-store.ts';

export type { LabelStore };

export interface LabelDeps {
  context: Pick<ServiceContext, 'clock'>;
  labels: LabelStore;
  autoForwards: Pick<AutoForwardStore, 'forwardedNames'>;
  labelCleanup: Pick<LabelCleanup, 'begin'>;
}

/** Labels as people handle them: the AI ones are seen here, and change through their rules alone. */
export function labelHandlers(deps: LabelDeps) {
  const { labels, labelCleanup, context } = deps;
  const { clock } = context;
  return {
    async listLabels(_request, call) {
      return { items: (await labels.list(call.workspaceId, call)).map(toMessageLabel) };
    },

    async getLabel({ labelId }, call) {
      return toMessageLabel((await labels.find(call.workspaceId, labelId, call)) ?? notFound());
    },

    async createLabel({ name, color, maySend }, call) {
      await requireMaySendFor([name], { maySend }, call, deps);
      const label = {
        _id: deterministicIdOf('lbl', call),
        ...named(name),
        color,
        isAiLabel: false,
        createdAt: clock.date(),
        deletedAt: null,
      };
      const { workspaceId } = call;
      return toMessageLabel(
        await insertWithin('labels', {
          countOthers: () => labels.countOthers(workspaceId, label._id, call),
          insert: () => labels.insert(workspaceId, label, call).catch(nameTaken),
          takeBack: () => labels.remove(workspaceId, label._id, call),
        }),
      );
    },

    async updateLabel({ labelId, name, color, maySend }, call) {
      const label = await labels.find(call.workspaceId, labelId, call);
      await requireMaySendFor(namesThatChange(label?.name, name), { maySend }, call, deps);
      requireManual(label);
      // Emails carry the label's id alone, so a new name needs no other write than this one.
      const change: LabelChange = { ...(name !== undefined && named(name)), ...(color !== undefined && { color }) };
      const changed = await labels
        .change(call.workspaceId, { _id: labelId, isAiLabel: false }, change, call)
        .catch(nameTaken);
      return toMessageLabel(changed ?? notFound());
    },

    async deleteLabel({ labelId, maySend }, call) {
      const label = await labels.find(call.workspaceId, labelId, call);
      await requireMaySendFor(label ? [label.name] : [], { maySend }, call, deps);
      requireManual(label);
      const tombstone = await labels.bury(call.workspaceId, { _id: labelId, isAiLabel: false }, clock.date(), call);
      await labelCleanup.begin(tombstone ?? notFound(), call);
      return {};
    },
  } satisfies Partial<Handlers<LabelRuleServiceDefinition>>;
}

function requireManual(label: LabelDocument | null): void {
  if ((label ?? notFound()).isAiLabel) throw new ApiError('INVALID_TAG');
}

function notFound(): never {
  throw new ApiError('LABEL_NOT_FOUND');
}

// Asking first whether the name is free would let two callers hear yes; the unique index lets one through.
function nameTaken(error: unknown): never {
  throw isDuplicate(error, NAME_INDEX) ? new ApiError('DUPLICATE_TAG_NAME', { cause: error }) : error;
}

function toMessageLabel({ _id, name, color, isAiLabel, createdAt }: LabelDocument): Label {
  return { id: _id, name, color, isAiLabel, createdAt: createdAt.toISOString() };
}
