export declare function endWithParent(launcher?: number): void;
