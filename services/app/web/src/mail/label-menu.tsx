import { Button, Menu } from '@mantine/core';
import type { LabelAnswer, LabelRefAnswer, ListOf, MailItemAnswer } from '@postroom/app/answers';
import { useWorkspacePath } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { LabelMark } from '../parts/label-mark.tsx';

interface Props {
  items: readonly MailItemAnswer[];
  /** The key of the page that opens the menu. */
  pageKey?: string;
  set(label: LabelRefAnswer, isOn: boolean): void;
}

/** Labels of rules are the model's; people give and take the others. */
export function LabelMenu({ items, pageKey, set }: Props) {
  const path = useWorkspacePath()('/labels');
  const labels = (useAnswer<ListOf<LabelAnswer>>(path).data?.items ?? []).filter(({ isAiLabel }) => !isAiLabel);
  const isOn = ({ id }: LabelRefAnswer) => items.every(({ tags }) => tags.some((tag) => tag.id === id));
  return (
    <Menu position="bottom-start" width={220} closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" data-page-key={pageKey}>
          Labels
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {labels.length === 0 && <Menu.Label>No manual labels yet</Menu.Label>}
        {labels.map((label) => (
          <Menu.Item
            key={label.id}
            role="menuitemcheckbox"
            aria-checked={isOn(label)}
            rightSection={isOn(label) ? '✓' : undefined}
            onClick={() => set(label, !isOn(label))}
          >
            <LabelMark label={label} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
