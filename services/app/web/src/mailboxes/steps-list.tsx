import type { ConnectStep } from '@postroom/app/answers';
import { Icon } from '../parts/icon.tsx';
import type { StepEvent } from './connecting-state.ts';
import classes from './mailboxes.module.css';

const STEPS: Readonly<Record<ConnectStep, string>> = {
  dns: 'Finding the server',
  tcp: 'Opening a connection',
  tls: 'Encrypting it',
  login: 'Logging in',
};
const SERVERS = { imap: 'IMAP, for reading', smtp: 'SMTP, for sending' } as const;
const STATES = { running: 'under way', ok: 'done', failed: 'failed' } as const;

/** Each step of both logins with its result, as it happens. */
export function StepsList({ steps }: { steps: readonly StepEvent[] }) {
  if (steps.length === 0) return null;
  return (
    <div aria-live="polite" className={classes.servers}>
      {(['imap', 'smtp'] as const).map((server) => (
        <ServerSteps key={server} name={SERVERS[server]} steps={steps.filter((step) => step.server === server)} />
      ))}
    </div>
  );
}

function ServerSteps({ name, steps }: { name: string; steps: readonly StepEvent[] }) {
  if (steps.length === 0) return null;
  return (
    <section>
      <h3 className={classes.server}>{name}</h3>
      <ol className={classes.steps}>
        {steps.map(({ step, state, message }) => (
          <li key={step} data-state={state} className={classes.step}>
            <span className={classes.mark}>
              {state === 'running' ? (
                <span className={classes.pulse} />
              ) : (
                <Icon name={state === 'ok' ? 'check' : 'close'} />
              )}
            </span>
            <span className="two">
              <span>
                {STEPS[step]} <span className="unseen">{STATES[state]}</span>
              </span>
              {message && <span className={classes.message}>{message}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
