import { UnstyledButton } from '@mantine/core';
import classes from './copy-text.module.css';
import { copyAloud } from './copying.ts';
import { curlOf, type CurlCall } from './curl.ts';

/** An id or an address: a click copies it whole, however little of it is shown. */
export function CopyText({ text, shown = text }: { text: string; shown?: string }) {
  return (
    <UnstyledButton className={classes.text} title={`Copy ${text}`} onClick={() => copyAloud(text)}>
      {shown}
    </UnstyledButton>
  );
}

/** The same by the REST API, for a shell. */
export function CurlButton(curl: CurlCall) {
  return (
    <UnstyledButton
      className={classes.curl}
      title="Copy this as a curl command"
      onClick={() => copyAloud(curlOf(curl))}
    >
      curl
    </UnstyledButton>
  );
}
