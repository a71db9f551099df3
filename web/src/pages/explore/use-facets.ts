import { useState } from 'react';
import { readStored, store } from '../../stored-value.ts';

const key = 'spanwise-facets-open';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Whether the facets are shown: beside the list, remembered in this browser, or in a narrow window over it. */
export function useFacetPanel() {
  const [isOpen, setIsOpen] = useState(() => readStored(key, isBoolean, true));
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  return {
    isOpen,
    setOpen: (open: boolean) => {
      setIsOpen(open);
      store(key, open);
    },
    isDrawerOpen,
    setDrawerOpen,
  };
}
