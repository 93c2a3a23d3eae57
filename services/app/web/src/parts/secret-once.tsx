import { useState, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { copyAloud } from './copying.ts';
import classes from './secret-once.module.css';

interface Props {
  label: string;
  secret: string;
  /** Why it has to be kept now. */
  advice: string;
  done(): void;
  children?: ReactNode;
}

/** A text that is shown here once, and nowhere after. */
export function SecretOnce({ label, secret, advice, done, children }: Props) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    copyAloud(secret);
    setCopied(true);
  };
  return (
    <div className="stack">
      <p>{advice}</p>
      <div className={classes.secret}>
        <TextInput
          label={label}
          readOnly
          value={secret}
          classNames={{ input: classes.input, root: classes.field }}
          onFocus={(event) => event.currentTarget.select()}
          autoFocus
        />
        <Button size="sm" variant={isCopied ? 'default' : 'filled'} onClick={copy}>
          Copy
        </Button>
      </div>
      {children}
      <div className="row-end">
        <Button variant={isCopied ? 'filled' : 'default'} onClick={done}>
          Done
        </Button>
      </div>
    </div>
  );
}

export function Example({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <p className="soft">{title}</p>
      <pre className={classes.example}>{text}</pre>
    </div>
  );
}
