import { UnstyledButton } from '@mantine/core';
import classes from './copy-text.module.css';
import { copyAloud } from './copying.ts';
import { curlOf, type CurlCall } from './curl.ts';

interface Props {
  text: string;
  /** The key `y` copies it while its row has the focus. */
  isRowId?: boolean;
}

/** An id or an address: a click copies it whole, however little of it is shown. */
export function CopyText({ text, isRowId = false }: Props) {
  return (
    <UnstyledButton
      className={classes.text}
      title={`Copy ${text}`}
      data-row-key={isRowId ? 'y' : undefined}
      onClick={() => copyAloud(text)}
    >
      {text}
    </UnstyledButton>
  );
}

/** The same by the REST API, for a shell. */
export function CurlButton(curl: CurlCall) {
  return (
    <UnstyledButton
      className={classes.curl}
      title="Copy this as a curl command"
      data-row-key="x"
      onClick={() => copyAloud(curlOf(curl))}
    >
      curl
    </UnstyledButton>
  );
}
