import { useState } from 'react';
import { callForFile } from '../api/call.ts';

/** A download that tells its refusal in words, which a plain link to the file would not. */
export function useDownload() {
  const [underWay, setUnderWay] = useState<ReadonlySet<number>>(new Set());
  const [error, setError] = useState<unknown>(null);
  const change = (at: number, isUnderWay: boolean) =>
    setUnderWay((before) => new Set(isUnderWay ? [...before, at] : [...before].filter((one) => one !== at)));
  const download = (path: string, at: number) => {
    setError(null);
    change(at, true);
    void callForFile(path, {})
      .then(saveFile, setError)
      .finally(() => change(at, false));
  };
  return { download, isUnderWay: (at: number) => underWay.has(at), error };
}

function saveFile({ name, file }: { name: string; file: Blob }): void {
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has taken the file over by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
