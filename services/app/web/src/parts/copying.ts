import { say } from './toasts.tsx';

export function copyAloud(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => say('Copied'),
    () => say('The browser did not allow to copy. Select the text and copy it by hand.'),
  );
}
