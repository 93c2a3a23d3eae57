import { Modal } from '@mantine/core';
import { usePresent } from '../api/session.ts';
import classes from './key-help.module.css';
import { PALETTE_KEYS } from './navigation.tsx';
import { pagesFor } from './pages.ts';

export function KeyHelp({ close }: { close(): void }) {
  const { workspace, features } = usePresent();
  const keys = [
    [PALETTE_KEYS, 'Search pages and commands'],
    ['?', 'This list'],
    ['/', 'Go to the first filter'],
    ['c', 'Create or connect, on pages that can'],
    ['j  k', 'Next and previous row'],
    ['Enter', 'Open the row'],
    ['e', 'Edit the row; done with the email, and on to the next'],
    ['r', 'Reconnect or replay the row'],
    ['s', 'Sync the mailbox; star the email'],
    ['u', 'Mark the email as read or unread'],
    ['l', 'Labels of the open email'],
    ['#', 'Delete, revoke or disconnect the row; move the email to the trash'],
    ['y  x', 'Copy the id of the row, or its call as curl; x selects an email'],
    ['z', 'Undo, while it is offered'],
    ['Esc', 'Close a dialog, or go back to the list of emails'],
    ...pagesFor(workspace.role, features).map(({ key, name }) => [`g ${key}`, name]),
  ];
  return (
    <Modal opened onClose={close} title="Keyboard shortcuts">
      <dl className={classes.keys}>
        {keys.map(([key, meaning]) => (
          <div key={key} className={classes.row}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
