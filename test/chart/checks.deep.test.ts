import { describe, expect, it } from '@jest/globals';
import { checkNames, checks } from './checks.ts';
import { describeChart } from './describe-chart.ts';
import { CI_VALUES, render } from './helm.ts';

const settings = ['the values alone', ...CI_VALUES];

describeChart('whatever the values', () => {
  describe.each(settings)('%s', (file) => {
    // A release whose name and namespace YAML would take for a truth.
    const objects = () =>
      render({ values: CI_VALUES.filter((known) => known === file), release: 'y', namespace: 'on' });

    it.each(checkNames)('%s', (name) => {
      expect(checks[name](objects())).toEqual([]);
    });
  });
});
