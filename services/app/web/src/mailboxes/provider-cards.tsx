import { UnstyledButton } from '@mantine/core';
import type { ProviderAnswer } from '@postroom/app/answers';
import classes from './mailboxes.module.css';

/** Any server: its addresses are typed. */
export const OTHER: ProviderAnswer = { id: 'other', name: 'Other', imap: '', smtp: '', note: '', consent: null };

interface Props {
  providers: readonly ProviderAnswer[];
  chosenId: string;
  choose(provider: ProviderAnswer): void;
}

/** A known provider fills in its servers. */
export function ProviderCards({ providers, chosenId, choose }: Props) {
  return (
    <div role="group" aria-label="Provider" className={classes.providers}>
      {[...providers, OTHER].map((provider) => (
        <UnstyledButton
          key={provider.id}
          className={classes.provider}
          aria-pressed={provider.id === chosenId}
          onClick={() => choose(provider)}
        >
          {provider.name}
        </UnstyledButton>
      ))}
    </div>
  );
}
