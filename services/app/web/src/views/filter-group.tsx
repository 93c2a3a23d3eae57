import { Button } from '@mantine/core';
import type { LabelAnswer } from '@postroom/app/answers';
import { Icon } from '../parts/icon.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { FilterCondition } from './filter-condition.tsx';
import {
  canAddCondition,
  canAddGroup,
  isGroup,
  newCondition,
  newGroup,
  replaceNode,
  type BuilderGroup,
  type BuilderNode,
} from './filter-tree.ts';
import { newId } from './new-id.ts';
import classes from './views.module.css';

interface Props {
  root: BuilderGroup;
  group: BuilderGroup;
  level: number;
  change(root: BuilderGroup): void;
  labels: readonly LabelAnswer[];
}

const KINDS = [
  { value: '_and', label: 'All of these hold' },
  { value: '_or', label: 'Any of these holds' },
] as const;

export function FilterGroup({ root, group, level, change, labels }: Props) {
  const put = (id: string, node: BuilderNode | null) => change(replaceNode(root, id, () => node));
  const add = (node: BuilderNode) => put(group.id, { ...group, children: [...group.children, node] });
  return (
    <div role="group" aria-label={level === 1 ? 'Filter' : `BuilderGroup at level ${level}`} className={classes.group}>
      <div className={classes.groupHead}>
        <SelectField
          label="Match"
          isLabelHidden
          value={group.kind}
          options={KINDS}
          change={(kind) => put(group.id, { ...group, kind })}
        />
        {level > 1 && (
          <Button variant="subtle" color="gray" aria-label="Remove group" onClick={() => put(group.id, null)}>
            <Icon name="close" size={14} />
          </Button>
        )}
      </div>
      {group.children.length > 0 && (
        <ul className={classes.children}>
          {group.children.map((child) => (
            <li key={child.id}>
              {isGroup(child) ? (
                <FilterGroup root={root} group={child} level={level + 1} change={change} labels={labels} />
              ) : (
                <FilterCondition
                  condition={child}
                  labels={labels}
                  change={(node) => put(child.id, node)}
                  remove={() => put(child.id, null)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Button variant="default" disabled={!canAddCondition(root)} onClick={() => add(newCondition(newId))}>
          Add condition
        </Button>
        {canAddGroup(level) && (
          <Button
            variant="default"
            disabled={!canAddCondition(root)}
            onClick={() =>
              add({ ...newGroup(newId, group.kind === '_and' ? '_or' : '_and'), children: [newCondition(newId)] })
            }
          >
            Add group
          </Button>
        )}
      </div>
    </div>
  );
}
