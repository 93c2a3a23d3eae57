import { useRef } from 'react';
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
  /** The outermost group stays. */
  remove?: () => void;
  labels: readonly LabelAnswer[];
}

const KINDS = [
  { value: '_and', label: 'All of these hold' },
  { value: '_or', label: 'Any of these holds' },
] as const;

export function FilterGroup({ root, group, level, change, remove: removeGroup, labels }: Props) {
  const self = useRef<HTMLDivElement>(null);
  const name = level === 1 ? 'Filter' : `Group at level ${level}`;
  const put = (id: string, node: BuilderNode | null) => change(replaceNode(root, id, () => node));
  // The focus goes to what was added, and stays in the group when something of it is removed.
  const focusOn = (selector: string) =>
    requestAnimationFrame(() => self.current?.querySelector<HTMLElement>(selector)?.focus());
  const add = (node: BuilderNode) => {
    put(group.id, { ...group, children: [...group.children, node] });
    focusOn(':scope > ul > li:last-child select');
  };
  const remove = (id: string) => {
    put(id, null);
    focusOn(':scope > [data-adding] > button');
  };
  return (
    <div ref={self} role="group" aria-label={name} className={classes.group}>
      <GroupHead kind={group.kind} change={(kind) => put(group.id, { ...group, kind })} remove={removeGroup} />
      {group.children.length > 0 && (
        <ul className={classes.children}>
          {group.children.map((child) => (
            <li key={child.id}>
              {isGroup(child) ? (
                <FilterGroup
                  {...{ root, change, labels }}
                  group={child}
                  level={level + 1}
                  remove={() => remove(child.id)}
                />
              ) : (
                <FilterCondition
                  condition={child}
                  labels={labels}
                  change={(node) => put(child.id, node)}
                  remove={() => remove(child.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <Adding root={root} group={group} level={level} add={add} />
    </div>
  );
}

interface HeadProps {
  kind: BuilderGroup['kind'];
  change(kind: BuilderGroup['kind']): void;
  remove: (() => void) | undefined;
}

function GroupHead({ kind, change, remove }: HeadProps) {
  return (
    <div className={classes.groupHead}>
      <SelectField label="Match" isLabelHidden value={kind} options={KINDS} change={change} />
      {remove && (
        <Button variant="subtle" color="gray" aria-label="Remove group" onClick={remove}>
          <Icon name="close" size={14} />
        </Button>
      )}
    </div>
  );
}

function Adding({
  root,
  group,
  level,
  add,
}: Pick<Props, 'root' | 'group' | 'level'> & { add(node: BuilderNode): void }) {
  const otherKind = group.kind === '_and' ? '_or' : '_and';
  return (
    <div className="row" data-adding>
      <Button variant="default" disabled={!canAddCondition(root)} onClick={() => add(newCondition(newId))}>
        Add condition
      </Button>
      {canAddGroup(level) && (
        <Button
          variant="default"
          disabled={!canAddCondition(root)}
          onClick={() => add({ ...newGroup(newId, otherKind), children: [newCondition(newId)] })}
        >
          Add group
        </Button>
      )}
    </div>
  );
}
